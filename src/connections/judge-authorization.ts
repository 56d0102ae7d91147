// What a creation or an override means for the address that it names. Such a webhook carries neither a time nor an id of
// its own, and may come late, twice or in any order. So it decides nothing by having arrived: what is stored and what the
// provider says now decide, and say the same however often it comes.
import type { ConnectionStatus } from './connection-status.ts';

export interface Situation {
  /** What the provider says of the connection now; undefined when it says nothing. */
  readonly provider: 'usable' | 'broken' | 'missing' | undefined;
  /** It was removed or replaced here before. */
  readonly removed: boolean;
  /** What the address refers to; undefined when it is free. */
  readonly stored:
    | {
        readonly status: ConnectionStatus;
        readonly isSame: boolean;
        /** The provider made the stored one after this one. */
        readonly isNewer: boolean;
        readonly authorizedByActor: boolean;
      }
    | undefined;
  readonly actorHasAuthority: boolean;
  /** The provider says that the credential it holds now is the actor's. */
  readonly credentialIsActors: boolean;
}

export type Verdict =
  | { readonly act: 'store' }
  | { readonly act: 'ignore' | 'delete at the provider' | 'put out of use'; readonly reason: AuthorizationRefusal };

export type AuthorizationRefusal = (typeof RULES)[number]['reason'];

const isValid = ({ stored }: Situation): boolean => stored?.status === 'valid';
const isSame = ({ stored }: Situation): boolean => stored?.isSame === true;
/** Who has authorized what is stored may be told of it twice. */
const mayReplace = ({ stored, actorHasAuthority }: Situation): boolean =>
  actorHasAuthority || (stored?.isSame === true && stored.authorizedByActor);

/** The first that holds decides; where none does, the reference is stored. */
const RULES = [
  { when: ({ provider }) => provider === 'missing', act: 'ignore', reason: 'provider_connection_missing' },
  { when: (given) => given.removed && !isSame(given), act: 'ignore', reason: 'connection_removed' },
  { when: (given) => !isSame(given) && given.stored?.isNewer === true, act: 'ignore', reason: 'connection_superseded' },
  {
    when: (given) => given.provider === 'broken' && (isSame(given) || isValid(given)),
    act: 'ignore',
    reason: 'provider_connection_errors',
  },
  // In place, the credential is another's by now, whatever is decided here: nobody's calls go on with it.
  {
    when: (given) => isSame(given) && isValid(given) && !mayReplace(given) && given.credentialIsActors,
    act: 'put out of use',
    reason: 'workspace_authority_required',
  },
  {
    when: (given) => isSame(given) && isValid(given) && !mayReplace(given),
    act: 'ignore',
    reason: 'workspace_authority_required',
  },
  {
    when: (given) => isValid(given) && !mayReplace(given),
    act: 'delete at the provider',
    reason: 'workspace_authority_required',
  },
  {
    when: (given) => !isSame(given) && isValid(given) && given.provider === undefined,
    act: 'ignore',
    reason: 'provider_unconfirmed',
  },
] as const satisfies readonly {
  readonly when: (given: Situation) => boolean;
  readonly act: Exclude<Verdict['act'], 'store'>;
  readonly reason: string;
}[];

export function judgeAuthorization(given: Situation): Verdict {
  const rule = RULES.find(({ when }) => when(given));
  return rule ? { act: rule.act, reason: rule.reason } : { act: 'store' };
}
