// What is written once a turn is admitted and before it is answered, in one transaction: the thread, the person's
// message in the place of what it replaces, and the claim that this turn alone writes the answer. From here on no
// failure loses the message; a refusal before it has written nothing.
import { AppError } from '../../base/errors.ts';
import type { ChatRequest } from '../../contract/threads.ts';
import type { Database, Transaction } from '../../store/database.ts';
import { claimAttachments } from '../attachments/attachments.ts';
import { draftTitle } from './draft-title.ts';
import type { PreparedTurn } from './prepare-turn.ts';
import { appendMessage, cutMessages, hasAnswer } from './messages.ts';
import { claimStream, findStream } from './streams.ts';
import { insertThread, lockThread } from './threads.ts';

export interface BeginTurn extends PreparedTurn {
  readonly userId: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly request: ChatRequest;
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
    const { userId, organizationId, request, threadId, seen, asked } = begin;
    const wantsTitle = seen === undefined ? await openThread(tx, begin) : await enterThread(tx, begin, seen);
    if (request.replace !== undefined && !(await cutMessages(tx, threadId, request.replace)))
      throw new AppError('not_found');
    await claimAttachments(tx, { userId, organizationId, threadId, ids: request.message.attachments ?? [] });
    await appendMessage(tx, threadId, asked);
    const first = wantsTitle && !(await hasAnswer(tx, threadId));
    return { threadId, askedId: asked.id, wantsTitle: first, ...(await claimStream(tx, threadId)) };
  });
}

/** True: nobody has named it yet. */
async function openThread(
  tx: Transaction,
  { userId, organizationId, workspaceId, request, threadId }: BeginTurn,
): Promise<true> {
  await insertThread(tx, {
    id: threadId,
    organizationId,
    workspaceId,
    workspacePicked: request.workspace !== undefined,
    userId,
    title: draftTitle(request.message.text),
  });
  return true;
}

/** Another turn that came between has changed the conversation that this one was asked with. */
async function enterThread(tx: Transaction, { userId, threadId }: BeginTurn, seen: number): Promise<boolean> {
  const thread = await lockThread(tx, userId, threadId);
  if (thread.messages !== seen || (await findStream(tx, threadId))) throw new AppError('thread_busy');
  return thread.wantsTitle;
}
