// What a Responses request says once the responses and items that it refers to stand in its input, and what is stored
// of its answer. A request that refers to nothing costs nothing here.
import { AppError } from '../../base/errors.ts';
import type { TurnDeps, TurnHead } from '../../chat/answer-turn.ts';
import type { Route } from '../../chat/decide-turn.ts';
import { findContext, takeFromLimit, type TurnCaller } from '../../chat/open-turn.ts';
import type { ResponseStore } from '../../chat/stored/create-stored-responses.ts';
import { expandReferences, inputItems } from '../../chat/stored/expand-references.ts';
import { findReferences, type References } from '../../chat/stored/find-references.ts';
import type { Keep } from '../../chat/stored/hold-answer.ts';
import type { Loaded } from '../../chat/stored/load-references.ts';
import { STORED_LIMITS } from '../../chat/stored/stored-response.ts';
import { isAbsent, type Loose } from '../../providers/codecs/read-fields.ts';
import { BODY_BUDGET, type BodyBudget } from '../shell/body-budget.ts';

export interface OpenDeps extends TurnDeps {
  readonly responses: ResponseStore | undefined;
  readonly budget: BodyBudget;
}

/** A request whose references are known. */
export interface Opened {
  /** The body for a route; throws what the references are refused for there. */
  bodyFor(route: Route): Loose;
  /** Without the switches of Anthropic's that are done here. */
  betasFor?(route: Route, betas: readonly string[]): readonly string[];
  /** What the references added to the input. */
  readonly addedBytes: number;
  /** Whether the per-user limit has counted the request. */
  readonly counted: boolean;
  /** Undefined where nothing is stored. */
  keepFor(head: TurnHead): Keep | undefined;
  /** The body is no longer held. */
  close(): void;
}

export async function openResponse(deps: OpenDeps, caller: TurnCaller, body: Loose, bytes: number): Promise<Opened> {
  const references = findReferences(body);
  if (!references)
    return {
      bodyFor: () => body,
      addedBytes: 0,
      counted: false,
      keepFor: keeper(deps, caller, body, { previousId: null, input: () => inputItems(body) }),
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
        ? keeper(deps, caller, body, { previousId: references.previousId ?? null, input: () => added })
        : () => undefined,
      close: () => room.giveBack(),
    };
  } catch (error) {
    room.giveBack();
    throw error;
  }
}

/** Where nothing is stored: why, and whether that holds for what a provider may have stored too. */
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
  if (!context) return { ...NOTHING, why: `responses are stored for members of an organization only. ${INSTEAD}` };
  return deps.responses.load(
    { organizationId: context.organizationId, workspaceId: context.workspaceId, userId: caller.userId },
    references,
    take,
  );
}

/** `sent` is what came with the request itself. */
export function refuseTooLong({ tooLong, bytes }: Pick<Loaded, 'tooLong' | 'bytes'>, sent: number): void {
  const { conversationBytes, conversationResponses } = STORED_LIMITS;
  if (tooLong || (bytes > 0 && bytes + sent > conversationBytes))
    throw new AppError('request_too_large', { limitBytes: conversationBytes, limitResponses: conversationResponses });
}

/** With a key of the organization's own, OpenAI may know what is not stored here, unless it is somebody else's. */
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

function keeper(
  deps: OpenDeps,
  { userId }: TurnCaller,
  body: Loose,
  { previousId, input }: { previousId: string | null; input: () => readonly Loose[] },
): Opened['keepFor'] {
  const { responses } = deps;
  // What a conversation of the provider's holds is not known here.
  const isWanted =
    responses !== undefined && body['store'] !== false && body['background'] !== true && isAbsent(body['conversation']);
  return ({ context }) => {
    if (!isWanted || !context || context.policy.requireZdr) return undefined;
    const place = { organizationId: context.organizationId, workspaceId: context.workspaceId, userId };
    return (response) => responses.keep(place, 'response', { previousId, input: input(), response });
  };
}

/** Room for what is read besides the body, which is counted where it is large. */
export function createRoom(budget: BodyBudget, userId: string): { take(bytes: number): void; giveBack(): void } {
  let giveBack = (): void => {};
  return {
    take(bytes) {
      if (bytes > BODY_BUDGET.largeBytes) giveBack = budget.take(userId, bytes);
    },
    giveBack: () => giveBack(),
  };
}
