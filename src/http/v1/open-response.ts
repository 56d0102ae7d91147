// Resolves the responses and items that a Responses request refers to into its input, and decides what is stored of its
// answer. A request without references costs nothing here.
import { AppError } from '../../base/errors.ts';
import type { TurnDeps, TurnHead } from '../../chat/answer-turn.ts';
import type { Route } from '../../chat/decide-turn.ts';
import { findContext, type TurnCaller } from '../../chat/open-turn.ts';
import { takeFromLimit } from '../../chat/take-from-limit.ts';
import type { ResponseStore } from '../../chat/stored/create-stored-responses.ts';
import { expandReferences, inputItems } from '../../chat/stored/expand-references.ts';
import { findReferences, type References } from '../../chat/stored/find-references.ts';
import type { Keep } from '../../chat/stored/hold-answer.ts';
import type { Loaded } from '../../chat/stored/load-references.ts';
import { STORED_LIMITS } from '../../chat/stored/stored-response.ts';
import { isAbsent, type Loose } from '../../model-providers/codecs/read-fields.ts';
import { BODY_BUDGET, type BodyBudget } from '../shell/body-budget.ts';

export interface OpenDeps extends TurnDeps {
  readonly responses: ResponseStore | undefined;
  readonly budget: BodyBudget;
}

/** A request whose references have been looked up. */
export interface Opened {
  /** The body for a route; throws if the references are refused there. */
  bodyFor(route: Route): Loose;
  /** Without the Anthropic beta switches that are handled here. */
  betasFor?(route: Route, betas: readonly string[]): readonly string[];
  /** The bytes the references added to the input. */
  readonly addedBytes: number;
  /** Whether the per-user limit has counted the request. */
  readonly counted: boolean;
  /** Undefined if nothing is to be stored. */
  keepFor(head: TurnHead): Keep | undefined;
  /** Releases the memory reserved for the body. */
  close(): void;
}

export async function openResponse(deps: OpenDeps, caller: TurnCaller, body: Loose, bytes: number): Promise<Opened> {
  const references = findReferences(body);
  if (!references)
    return {
      bodyFor: () => body,
      addedBytes: 0,
      counted: false,
      keepFor: createKeep(deps, caller, body, { previousId: null, input: () => inputItems(body) }),
      close: () => {},
    };

  await takeFromLimit(deps, caller.userId, caller.tokenId);
  const room = createRoom(deps.budget, caller.userId);
  try {
    const found = await load(deps, caller, references, room.take);
    const { body: expanded, added, missing } = expandReferences(body, references, found);
    const isWhole = missing.size === 0;
    return {
      bodyFor(route) {
        refuseTooLong(found, bytes);
        refuse(found, missing, route);
        return expanded;
      },
      addedBytes: found.bytes,
      counted: true,
      keepFor: isWhole
        ? createKeep(deps, caller, body, { previousId: references.previousId ?? null, input: () => added })
        : () => undefined,
      close: () => room.giveBack(),
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
const INSTEAD = 'Send the whole conversation as input';

async function load(
  deps: OpenDeps,
  caller: TurnCaller,
  references: References,
  take: (bytes: number) => void,
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
  return deps.responses.load(
    { organizationId: context.organizationId, workspaceId: context.workspaceId, userId: caller.userId },
    references,
    take,
  );
}

/** `sent` is the size of the request itself. */
export function refuseTooLong({ tooLong, bytes }: Pick<Loaded, 'tooLong' | 'bytes'>, sent: number): void {
  const { conversationBytes, conversationResponses } = STORED_LIMITS;
  if (tooLong || (bytes > 0 && bytes + sent > conversationBytes))
    throw new AppError('request_too_large', {
      param: 'input',
      limitBytes: conversationBytes,
      limitResponses: conversationResponses,
    });
}

/** With the organization's own key, OpenAI may have what is not stored here, unless it belongs to another user. */
function refuse(
  { why, everywhere, foreign }: Loading,
  missing: ReadonlyMap<string, string>,
  { provider, credential }: Route,
): void {
  const asksProvider = provider === 'openai' && credential.kind === 'own-key' && !everywhere;
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

function createKeep(
  deps: OpenDeps,
  { userId }: TurnCaller,
  body: Loose,
  { previousId, input }: { previousId: string | null; input: () => readonly Loose[] },
): Opened['keepFor'] {
  const { responses } = deps;
  // The contents of a conversation stored at the provider are not known here.
  const isWanted =
    responses !== undefined && body['store'] !== false && body['background'] !== true && isAbsent(body['conversation']);
  return ({ context }) => {
    if (!isWanted || !context || context.policy.requireZdr) return undefined;
    const place = { organizationId: context.organizationId, workspaceId: context.workspaceId, userId };
    return (response) => responses.keep(place, 'response', { previousId, input: input(), response });
  };
}

/** Memory for what is read in addition to the body; a large body is accounted for elsewhere. */
export function createRoom(budget: BodyBudget, userId: string): { take(bytes: number): void; giveBack(): void } {
  const taken: (() => void)[] = [];
  return {
    take(bytes) {
      if (bytes > BODY_BUDGET.largeBytes) taken.push(budget.take(userId, bytes));
    },
    giveBack() {
      for (const giveBack of taken.splice(0)) giveBack();
    },
  };
}
