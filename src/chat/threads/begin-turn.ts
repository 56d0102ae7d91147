// What is written before a turn is answered, in one transaction: the thread, the person's message, and the claim
// that this turn alone writes the answer. From here on no failure loses the message.
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { ChatRequest, MessageMetadata, MessagePart } from '../../contract/threads.ts';
import type { Database, Transaction } from '../../store/database.ts';
import { claimAttachments } from '../attachments/attachments.ts';
import { draftTitle } from './draft-title.ts';
import { appendMessage, cutMessages, hasAnswer } from './messages.ts';
import { claimStream, closeDead, findStream } from './streams.ts';
import { insertThread, lockThread } from './threads.ts';

export interface BeginTurn {
  readonly userId: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly request: ChatRequest;
  readonly metadata: MessageMetadata;
}

export interface BegunTurn {
  readonly threadId: string;
  /** The person's message. */
  readonly askedId: string;
  readonly streamId: string;
  /** The answer that is about to be written. */
  readonly messageId: string;
  /** Whether the first answer of the thread may give it a title. */
  readonly wantsTitle: boolean;
}

export function beginTurn(db: Database, begin: BeginTurn): Promise<BegunTurn> {
  return db.transaction(async (tx) => {
    const { userId, organizationId, request } = begin;
    const { threadId, wantsTitle } = request.thread === undefined ? await openThread(tx, begin) : await enterThread(db, tx, begin, request.thread);
    if (request.replace !== undefined && !(await cutMessages(tx, threadId, request.replace))) throw new AppError('not_found');

    const attached = await claimAttachments(tx, { userId, organizationId, threadId, ids: request.message.attachments ?? [] });
    const parts: MessagePart[] = [
      ...attached.map(({ id, name, type, size }): MessagePart => ({ type: 'data-attachment', data: { id, name, type, size } })),
      ...(request.message.text === '' ? [] : [{ type: 'text' as const, text: request.message.text }]),
    ];
    const askedId = newId('msg');
    await appendMessage(tx, threadId, { id: askedId, role: 'user', parts, metadata: begin.metadata });
    const first = wantsTitle && !(await hasAnswer(tx, threadId));
    return { threadId, askedId, wantsTitle: first, ...(await claimStream(tx, threadId)) };
  });
}

interface Entered {
  readonly threadId: string;
  readonly wantsTitle: boolean;
}

async function openThread(tx: Transaction, { userId, organizationId, workspaceId, request }: BeginTurn): Promise<Entered> {
  const threadId = newId('thr');
  await insertThread(tx, { id: threadId, organizationId, workspaceId, workspacePicked: request.workspace !== undefined, userId, title: draftTitle(request.message.text) });
  return { threadId, wantsTitle: true };
}

async function enterThread(db: Database, tx: Transaction, { userId, organizationId }: BeginTurn, id: string): Promise<Entered> {
  const thread = await lockThread(tx, userId, id);
  if (thread.organizationId !== organizationId) throw new AppError('not_found');
  const stream = await findStream(tx, id);
  if (stream && !stream.dead) throw new AppError('thread_busy');
  if (stream) await closeDead(db, tx, id, stream);
  return { threadId: id, wantsTitle: thread.wantsTitle };
}
