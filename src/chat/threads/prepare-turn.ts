// Reads the state of the thread before a turn writes anything. Problems with the thread, the message being replaced or
// the attachments are refused here.
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { ChatRequest, MessageMetadata, MessagePart } from '../../contract/threads.ts';
import type { Database } from '../../store/database.ts';
import { findAttachments } from '../attachments/attachments.ts';
import { getQuestionPosition, type StoredMessage } from './messages.ts';
import { closeIfDead, findStream } from './streams.ts';
import { getThread, type StoredThread } from './threads.ts';

export interface PreparedTurn {
  /** The thread's id, or the id a new one will have. */
  readonly threadId: string;
  /** The number of messages in the thread; undefined for a new one. */
  readonly seen: number | undefined;
  /** The user's message, at its future position. */
  readonly asked: StoredMessage;
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

/** A stream whose writer has died must not block the thread: what it wrote becomes the last message. */
async function getFreeThread(db: Database, userId: string, id: string): Promise<StoredThread> {
  const thread = await getThread(db, userId, id);
  const stream = await findStream(db, id);
  if (!stream) return thread;
  if (!stream.dead) throw new AppError('thread_busy');
  await closeIfDead(db, id);
  return getThread(db, userId, id);
}
