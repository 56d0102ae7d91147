// `GET` and `DELETE /v1/responses/<id>` and `GET /v1/responses/<id>/input_items`, in OpenAI's shape. Another user's
// response counts as not found.
import { AppError } from '../../base/errors.ts';
import { findContext, type OpenTurnDeps, type TurnCaller } from '../../turns/open-turn.ts';
import { refuseRevoked } from '../../turns/take-from-limit.ts';
import type { ResponseStore, TakeBytes } from '../../stored-responses/create-stored-responses.ts';
import { showStored } from '../../turns/bodies/large-body.ts';
import { listInputItems } from '../../stored-responses/list-input-items.ts';
import type { StoredOwner } from '../../stored-responses/stored-response.ts';
import type { Admission } from '../shell/admission/admission.ts';
import { sendJson } from '../shell/send-json.ts';
import { createRoom } from './open-response.ts';
import type { V1Request } from './surfaces.ts';

export interface StoredResponsesDeps extends Pick<OpenTurnDeps, 'contexts' | 'admit'> {
  readonly responses: ResponseStore | undefined;
  readonly admission: Pick<Admission, 'hold'>;
}

const PATH = /^\/v1\/responses\/(?!input_tokens$)([\w-]{1,200})(\/input_items)?$/;

export function isStoredPath(path: string): boolean {
  return PATH.test(path);
}

export async function serveStored(
  deps: StoredResponsesDeps,
  { request, response, caller, path }: V1Request,
): Promise<void> {
  const [, id = '', items] = PATH.exec(path) ?? [];
  const query = new URL(request.url ?? '/', 'http://service').searchParams;
  const room = createRoom(deps.admission, caller);
  try {
    const asked = { method: request.method ?? 'GET', id, listsItems: items !== undefined, query };
    await sendJson(response, await answer(deps, caller, asked, room.take));
  } finally {
    room.giveBack();
  }
}

async function answer(
  deps: StoredResponsesDeps,
  caller: TurnCaller,
  { method, id, listsItems, query }: { method: string; id: string; listsItems: boolean; query: URLSearchParams },
  take: TakeBytes,
): Promise<object> {
  const reads = method !== 'DELETE';
  if (query.get('stream') === 'true')
    throw new AppError('invalid_request', { stream: 'a stored response has already ended: omit this' });
  await refuseRevoked(deps, caller);
  const context = await findContext(deps, caller);
  const { responses: store } = deps;
  const owner = context && {
    organizationId: context.organizationId,
    workspaceId: context.workspaceId,
    userId: caller.userId,
  };
  const found =
    store &&
    owner &&
    (reads
      ? await read(store, owner, { id, listsItems, query }, take)
      : (await store.remove(owner, id)) && { id, object: 'response', deleted: true });
  if (!found) throw new AppError('response_not_found', { id });
  return found;
}

async function read(
  store: ResponseStore,
  owner: StoredOwner,
  { id, listsItems, query }: { id: string; listsItems: boolean; query: URLSearchParams },
  take: TakeBytes,
): Promise<object | undefined> {
  if (!listsItems) {
    const found = await store.find(owner, id, take);
    return found && ('response' in found ? found.response : showStored([found]));
  }
  const { turns, stored } = await store.findConversation(owner, 'response', id, take);
  return stored ? showStored(stored.rows, query) : turns && listInputItems(turns, query);
}
