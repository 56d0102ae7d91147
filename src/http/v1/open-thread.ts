// A thread of /v1/messages: the client sends only what is new, and the server keeps the rest. With the organization's
// own key Anthropic does that; in all other cases it is done here. Refusals carry the recovery codes that let
// Anthropic's client continue by itself: it resends the whole conversation, or continues without a thread.
import { AppError } from '../../base/errors.ts';
import type { Route } from '../../turns/decide-turn.ts';
import { findContext } from '../../turns/open-turn.ts';
import type { FoundConversation } from '../../stored-responses/create-stored-responses.ts';
import {
  CREATE_ONLY,
  expandThread,
  messagesOf,
  settingsOf,
  type ThreadReference,
} from '../../stored-responses/expand-thread.ts';
import type { StoredOwner } from '../../stored-responses/stored-response.ts';
import type { PrepareOptions } from '../../turns/bodies/large-body.ts';
import { buildProviderRequest } from '../../turns/address-request.ts';
import { isAbsent, type Loose } from '../../model-providers/codecs/read-fields.ts';
import { findProvider } from '../../model-providers/providers.ts';
import type { SentBody } from '../shell/sent-body.ts';
import { createRoom, type Opened, type OpenDeps, type OpenRequest } from './open-response.ts';
import { refuseTooLong } from '../../stored-responses/refuse-too-long.ts';

const BETA = /^message-threads-/;

export async function openThread(
  deps: OpenDeps,
  { caller, limit }: OpenRequest,
  sent: SentBody,
  thread: ThreadReference,
): Promise<Opened> {
  const { body, bytes, read } = sent;
  await limit.take();
  const context = await findContext(deps, caller);
  const store = context?.policy.requireZdr ? undefined : deps.responses;
  const owner: StoredOwner | undefined = context && {
    organizationId: context.organizationId,
    workspaceId: context.workspaceId,
    userId: caller.userId,
  };
  const room = createRoom(deps.admission, caller);
  try {
    const found =
      store && owner && thread.type === 'continue'
        ? await (read ? store.asBytes : store).findConversation(owner, 'message', thread.previousId, room.take)
        : undefined;
    const isKeptHere = (route: Route): boolean =>
      found?.turns !== undefined ||
      found?.isForeign === true ||
      findProvider(route.provider)?.stores !== 'messages' ||
      route.credential.kind !== 'own-key';
    const large = read || found?.stored ? sent.asLarge() : undefined;
    return {
      prepare(route, named) {
        const here = isKeptHere(route);
        const betas = here ? named.filter((beta) => !BETA.test(beta)) : named;
        const stores = store !== undefined && owner !== undefined;
        if (here && found) refuseTooLong(found, bytes);
        if (here) refuse(body, thread, found, stores);
        if (!large) {
          const expanded = here ? expandThread(body, found?.turns ?? []) : body;
          return buildProviderRequest(route, { surface: 'messages', body: expanded, betas }, deps.urls);
        }
        const check: PrepareOptions['check'] = ({ missing }) =>
          missing.size > 0 ? refuse(body, thread, undefined, stores) : undefined;
        const stored = here ? (found?.stored ?? { rows: [] }) : undefined;
        return large.prepare(route, { betas, stored, keeps: here, check }, deps.urls);
      },
      addedBytes: found?.bytes ?? 0,
      keepFor({ route, request: { added } }) {
        if (!store || !owner || !isKeptHere(route)) return undefined;
        const previousId = thread.type === 'continue' ? thread.previousId : null;
        const creates = thread.type === 'create';
        const turn = added
          ? { added: creates ? added : { input: added.input } }
          : { input: messagesOf(body), ...(creates ? { settings: settingsOf(body) } : {}) };
        return (response) => store.keep(owner, 'message', { previousId, ...turn, response });
      },
      close: () => room.giveBack(),
    };
  } catch (error) {
    room.giveBack();
    throw error;
  }
}

function refuse(body: Loose, thread: ThreadReference, found: FoundConversation | undefined, stores: boolean): void {
  if (thread.type === 'malformed')
    throw new AppError('invalid_request', {
      thread: "must be {type: 'create'}, or {type: 'continue'} with a previous_message_id",
    });
  if (!stores)
    throw new AppError('invalid_request', {
      thread: 'threads are not stored on this deployment: send the whole conversation',
      recovery: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
    });
  if (thread.type === 'create') return;
  const repeated = CREATE_ONLY.filter((field) => !isAbsent(body[field]));
  if (repeated.length > 0)
    throw new AppError(
      'invalid_request',
      Object.fromEntries(repeated.map((field) => [field, 'is kept by the thread: omit it, or start a new thread'])),
    );
  if (!found?.turns)
    throw new AppError('invalid_request', {
      thread: 'there is no such thread: send the whole conversation',
      recovery: { error_code: 'thread_not_found' },
    });
}
