// What a turn will find in its thread, read before anything of it is written: whatever is wrong with the thread, the
// message that is replaced or the attachments is refused here, and what is right is the conversation's end.
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { ChatRequest, MessageMetadata, MessagePart } from '../../contract/threads.ts';
import type { Database } from '../../store/database.ts';
import { findAttachments } from '../attachments/attachments.ts';
import { getQuestionPosition, type StoredMessage } from './messages.ts';
import { closeIfDead, findStream } from './streams.ts';
import { getThread, type StoredThread } from './threads.ts';

export interface PreparedTurn {
  /** The thread's id, or the id that a new one will have. */
  readonly threadId: string;
  /** How many messages the thread held; undefined for one that is yet to be made. */
  readonly seen: number | undefined;
  /** The person's message, at the place where it will be. */
  readonly asked: StoredMessage;
}

export interface Foresee {
  readonly userId: string;
  readonly organizationId: string;
  readonly request: ChatRequest;
  readonly metadata: MessageMetadata;
}

export async function prepareTurn(
  db: Database,
  { userId, organizationId, request, metadata }: Foresee,
): Promise<PreparedTurn> {
  const thread = request.thread === undefined ? undefined : await getFreeThread(db, userId, request.thread);
  if (thread && thread.organizationId !== organizationId) throw new AppError('not_found');
  const threadId = thread?.id ?? newId('thr');
  const position =
    request.replace === undefined ? (thread?.messages ?? 0) : await getQuestionPosition(db, threadId, request.replace);

  const attached = await findAttachments(db, {
    userId,
    organizationId,
    threadId,
    ids: request.message.attachments ?? [],
  });
  const parts: MessagePart[] = [
    ...attached.map(({ id, name, type, size }): MessagePart => ({
      type: 'data-attachment',
      data: { id, name, type, size },
    })),
    ...(request.message.text === '' ? [] : [{ type: 'text' as const, text: request.message.text }]),
  ];
  return {
    threadId,
    seen: thread?.messages,
    asked: { id: newId('msg'), position, role: 'user', parts, metadata, createdAt: new Date().toISOString() },
  };
}

/** A stream whose writer has died holds nobody up: what it left becomes the thread's last message. */
async function getFreeThread(db: Database, userId: string, id: string): Promise<StoredThread> {
  const thread = await getThread(db, userId, id);
  const stream = await findStream(db, id);
  if (!stream) return thread;
  if (!stream.dead) throw new AppError('thread_busy');
  await closeIfDead(db, id);
  return getThread(db, userId, id);
}
