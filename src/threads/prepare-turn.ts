// Reads the state of the thread before a turn writes anything. Problems with the thread, the message being edited or
// the attachments are refused here.
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { ChatRequest, MessageMetadata, MessagePart } from '../contract/threads.ts';
import type { Database } from '../store/database.ts';
import { findAttachments } from '../documents/attachments/attachments.ts';
import { findMessage, type StoredMessage } from './messages.ts';
import { closeIfDead, findStream } from './streams.ts';
import { getThread, type StoredThread } from './threads.ts';
import { countVersions, findLeaf, isVersion, MOST_VERSIONS } from './versions.ts';

export interface PreparedTurn {
  /** The thread's id, or the id a new one will have. */
  readonly threadId: string;
  /** The last message of an existing thread, if it has any. */
  readonly seen: { readonly leaf: string | undefined } | undefined;
  /** The user's message, at its future position. */
  readonly asked: StoredMessage;
  /** The project that the thread is in, or will begin in. */
  readonly projectId: string | undefined;
  /** It is stored already and asked again: only its answer gets another version. */
  readonly repeats: boolean;
}

export interface TurnInput {
  readonly userId: string;
  readonly organizationId: string;
  readonly request: ChatRequest;
  readonly metadata: MessageMetadata;
}

export async function prepareTurn(
  db: Database,
  { userId, organizationId, request, metadata }: TurnInput,
): Promise<PreparedTurn> {
  const thread = request.thread === undefined ? undefined : await getFreeThread(db, userId, request.thread);
  if (thread && thread.organizationId !== organizationId) throw new AppError('not_found');
  const threadId = thread?.id ?? newId('thr');
  const seen = thread && { leaf: await findLeaf(db, threadId) };
  if (seen && request.after !== undefined && request.after !== seen.leaf) throw new AppError('thread_changed');
  const replaced = request.replace === undefined ? undefined : await getReplaced(db, threadId, request.replace);

  const attached = await findAttachments(db, {
    userId,
    organizationId,
    threadId,
    ids: request.message.attachments ?? [],
  });
  const parts: MessagePart[] = [
    ...attached.map((data): MessagePart => ({ type: 'data-attachment', data })),
    ...(request.message.text === '' ? [] : [{ type: 'text' as const, text: request.message.text }]),
  ];
  const repeats = replaced !== undefined && isDeepStrictEqual(replaced.parts, parts);
  const position = replaced?.position ?? thread?.messages ?? 0;
  if (replaced && (await countVersions(db, threadId, repeats ? position + 1 : position)) >= MOST_VERSIONS - 1)
    throw new AppError('too_many_versions', { limit: MOST_VERSIONS });
  const asked = repeats
    ? { ...replaced, metadata }
    : { id: newId('msg'), position, role: 'user' as const, parts, metadata, createdAt: new Date().toISOString() };
  return { threadId, seen, asked, projectId: thread ? thread.project : request.project, repeats };
}

/** In another tab the thread may show another version by now. */
async function getReplaced(db: Database, threadId: string, id: string): Promise<StoredMessage> {
  const found = await findMessage(db, threadId, id);
  if (found?.role === 'user') return found;
  throw new AppError((await isVersion(db, threadId, id)) ? 'thread_changed' : 'not_found');
}

/** A stream whose writer has died must not block the thread: what it wrote becomes the last message. */
async function getFreeThread(db: Database, userId: string, id: string): Promise<StoredThread> {
  const thread = await getThread(db, userId, id);
  const stream = await findStream(db, id);
  if (!stream) return thread;
  if (!stream.dead) throw new AppError('thread_busy');
  await closeIfDead(db, id);
  return getThread(db, userId, id);
}
