// Resolves the responses and items that a Responses request refers to into its input, and decides what is stored of its
// answer. A request without references costs nothing here.
import { AppError } from '../../base/errors.ts';
import type { TurnDeps, TurnHead } from '../../turns/answer-turn.ts';
import type { Route } from '../../turns/decide-turn.ts';
import type { StoredParts } from '../../stored-responses/resolve-references.ts';
import type { PrepareOptions } from '../../turns/bodies/large-body.ts';
import { findContext, type TurnCaller } from '../../turns/open-turn.ts';
import { buildProviderRequest } from '../../turns/address-request.ts';
import type { ProviderRequest } from '../../turns/provider-request.ts';
import type { LimitOnce } from '../../turns/take-from-limit.ts';
import type { ResponseStore } from '../../stored-responses/create-stored-responses.ts';
import { expandReferences, inputItems } from '../../stored-responses/expand-references.ts';
import { findReferences, type References } from '../../stored-responses/find-references.ts';
import type { Keep } from '../../stored-responses/hold-answer.ts';
import type { Loaded } from '../../stored-responses/load-references.ts';
import { refuseTooLong } from '../../stored-responses/refuse-too-long.ts';
import { isAbsent, type Loose } from '../../model-providers/codecs/read-fields.ts';
import { findProvider } from '../../model-providers/providers.ts';
import type { Admission } from '../shell/admission/admission.ts';
import type { SentBody } from '../shell/sent-body.ts';

export interface OpenDeps extends TurnDeps {
  readonly responses: ResponseStore | undefined;
  readonly admission: Pick<Admission, 'hold'>;
}

/** A request whose references have been looked up. */
export interface Opened {
  /** Throws if the references are refused on that route. */
  prepare(route: Route, betas: readonly string[]): ProviderRequest | Promise<ProviderRequest>;
  /** The bytes the references added to the input. */
  readonly addedBytes: number;
  /** Undefined if nothing is to be stored. */
  keepFor(head: TurnHead): Keep | undefined;
  /** Releases the memory reserved for the body. */
  close(): void;
}

export interface OpenRequest {
  readonly caller: TurnCaller;
  readonly limit: LimitOnce;
}

export async function openResponse(deps: OpenDeps, { caller, limit }: OpenRequest, sent: SentBody): Promise<Opened> {
  const { body, bytes, read } = sent;
  const references = read ? read.references : findReferences(body);
  const keeps = isKept(deps, body);
  if (!references) {
    const large = read && sent.asLarge();
    return {
      prepare: (route, betas) =>
        large?.prepare(route, { betas, keeps }, deps.urls) ??
        buildProviderRequest(route, { surface: 'responses', body, betas }, deps.urls),
      addedBytes: 0,
      keepFor: createKeep(deps, caller, keeps, { previousId: null, input: () => inputItems(body) }),
      close: () => {},
    };
  }

  await limit.take();
  const room = createRoom(deps.admission, caller);
  try {
    const found = await load(deps, caller, references, { take: room.take, asBytes: read !== undefined });
    const opened = { addedBytes: found.bytes, close: () => room.giveBack() };
    const previousId = references.previousId ?? null;
    const { stored = NOTHING_STORED(references) } = found;
    if (read || found.stored) {
      const large = sent.asLarge();
      let isWhole = false;
      return {
        ...opened,
        prepare(route, betas) {
          refuseTooLong(found, bytes);
          const check: PrepareOptions['check'] = ({ missing }) => {
            isWhole = missing.size === 0;
            refuse(found, missing, route);
          };
          return large.prepare(route, { betas, keeps, stored, check }, deps.urls);
        },
        keepFor: (head) => (isWhole ? createKeep(deps, caller, keeps, { previousId })(head) : undefined),
      };
    }
    const { body: expanded, added, missing } = expandReferences(body, references, found);
    return {
      ...opened,
      prepare(route, betas) {
        refuseTooLong(found, bytes);
        refuse(found, missing, route);
        return buildProviderRequest(route, { surface: 'responses', body: expanded, betas }, deps.urls);
      },
      keepFor:
        missing.size === 0 ? createKeep(deps, caller, keeps, { previousId, input: () => added }) : () => undefined,
    };
  } catch (error) {
    room.giveBack();
    throw error;
  }
}

/** If nothing is stored: why, and whether that also applies to responses stored at the provider. */
type Loading = Loaded & { readonly why?: string; readonly everywhere?: true };

const NOTHING = {
  conversation: undefined,
  items: new Map<string, Loose>(),
  tooLong: false,
  foreign: new Set<string>(),
  bytes: 0,
};
const NOTHING_STORED = (references: References): StoredParts => ({
  rows: [],
  plan: { references, chain: undefined, holders: new Map() },
});
const INSTEAD = 'Send the whole conversation as input';

async function load(
  deps: OpenDeps,
  caller: TurnCaller,
  references: References,
  { take, asBytes }: { readonly take: (bytes: number) => void; readonly asBytes: boolean },
): Promise<Loading> {
  const context = await findContext(deps, caller);
  if (context?.policy.requireZdr)
    return {
      ...NOTHING,
      why: `nothing is stored while your organization requires zero data retention. ${INSTEAD}`,
      everywhere: true,
    };
  if (!deps.responses) return { ...NOTHING, why: `responses are not stored on this deployment. ${INSTEAD}` };
  if (!context) return { ...NOTHING, why: `responses are stored only for members of an organization. ${INSTEAD}` };
  return (asBytes ? deps.responses.asBytes : deps.responses).load(
    { organizationId: context.organizationId, workspaceId: context.workspaceId, userId: caller.userId },
    references,
    take,
  );
}

/** With the organization's own key, the provider may have what is not stored here, unless it belongs to another user. */
function refuse(
  { why, everywhere, foreign }: Loading,
  missing: ReadonlyMap<string, string>,
  { provider, credential }: Route,
): void {
  const asksProvider = findProvider(provider)?.stores === 'responses' && credential.kind === 'own-key' && !everywhere;
  const refused = [...missing].filter(([, id]) => !asksProvider || foreign.has(id));
  if (refused.length === 0) return;
  const previousId = missing.get('previous_response_id');
  if (why === undefined && previousId !== undefined && refused.some(([at]) => at === 'previous_response_id'))
    throw new AppError('previous_response_not_found', { id: previousId, param: 'previous_response_id' });
  throw new AppError(
    'invalid_request',
    Object.fromEntries(
      refused.map(([at, id]) => [at, why ?? `there is no item with the id '${id}' here: send the item itself`]),
    ),
  );
}

/** The contents of a conversation stored at the provider are not known here. */
function isKept({ responses }: OpenDeps, body: Loose): boolean {
  return (
    responses !== undefined && body['store'] !== false && body['background'] !== true && isAbsent(body['conversation'])
  );
}

/** The input of a large body comes with its provider request. */
function createKeep(
  { responses }: OpenDeps,
  { userId }: TurnCaller,
  isWanted: boolean,
  { previousId, input = () => [] }: { previousId: string | null; input?: () => readonly Loose[] },
): Opened['keepFor'] {
  return ({ context, request: { added } }) => {
    if (!isWanted || !responses || !context || context.policy.requireZdr) return undefined;
    const place = { organizationId: context.organizationId, workspaceId: context.workspaceId, userId };
    return (response) =>
      responses.keep(place, 'response', { previousId, response, ...(added ? { added } : { input: input() }) });
  };
}

/** Memory for what is read in addition to the body, which has its own. */
export function createRoom(
  admission: Pick<Admission, 'hold'>,
  caller: { readonly userId: string },
): { take(bytes: number): void; giveBack(): void } {
  const taken: (() => void)[] = [];
  return {
    take: (bytes) => void taken.push(admission.hold(caller, bytes)),
    giveBack() {
      for (const giveBack of taken.splice(0)) giveBack();
    },
  };
}
