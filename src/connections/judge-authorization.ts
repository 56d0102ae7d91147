// What a creation or an override means for the address it names. Such a webhook carries neither a time nor an id, and
// may arrive late, twice or out of order. So its arrival decides nothing: the decision depends only on what is stored
// and on what the provider reports now, and is the same however often the webhook comes.
import type { ConnectionStatus } from './connection-status.ts';

export interface Situation {
  /** What the provider reports about the connection now; undefined if unclear. */
  readonly provider: 'usable' | 'broken' | 'missing' | undefined;
  /** Whether it was removed or replaced here before. */
  readonly removed: boolean;
  /** What the address refers to; undefined if it is free. */
  readonly stored:
    | {
        readonly status: ConnectionStatus;
        readonly isSame: boolean;
        /** Whether the provider created the stored one after this one. */
        readonly isNewer: boolean;
        readonly authorizedByActor: boolean;
      }
    | undefined;
  readonly actorHasAuthority: boolean;
  /** Whether the credential the provider holds now is the actor's. */
  readonly credentialIsActors: boolean;
}

export type Verdict =
  | { readonly act: 'store' }
  | { readonly act: 'ignore' | 'delete at the provider' | 'invalidate'; readonly reason: AuthorizationRefusal };

type AuthorizationRefusal = (typeof RULES)[number]['reason'];

const isValid = ({ stored }: Situation): boolean => stored?.status === 'valid';
const isSame = ({ stored }: Situation): boolean => stored?.isSame === true;
/** A repeated webhook for the actor's own authorization is accepted. */
const mayReplace = ({ stored, actorHasAuthority }: Situation): boolean =>
  actorHasAuthority || (stored?.isSame === true && stored.authorizedByActor);

/** The first matching rule decides; if none matches, the reference is stored. */
const RULES = [
  { when: ({ provider }) => provider === 'missing', act: 'ignore', reason: 'provider_connection_missing' },
  { when: (given) => given.removed && !isSame(given), act: 'ignore', reason: 'connection_removed' },
  { when: (given) => !isSame(given) && given.stored?.isNewer === true, act: 'ignore', reason: 'connection_superseded' },
  {
    when: (given) => given.provider === 'broken' && (isSame(given) || isValid(given)),
    act: 'ignore',
    reason: 'provider_connection_errors',
  },
  // The override has already replaced the credential at the provider, so calls must not continue with it.
  {
    when: (given) => isSame(given) && isValid(given) && !mayReplace(given) && given.credentialIsActors,
    act: 'invalidate',
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
