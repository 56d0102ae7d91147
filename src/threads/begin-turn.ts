// Written once a turn is admitted and before it is answered, in one transaction: the thread, the user's message (what
// an edit or a retry replaces becomes a version), and the claim that makes this turn the only writer of the answer. From here on no failure
// loses the message; a refusal before this has written nothing.
import { AppError } from '../base/errors.ts';
import type { ChatRequest } from '../contract/threads.ts';
import type { Database, Transaction } from '../store/database.ts';
import { claimAttachments } from '../documents/attachments/attachments.ts';
import { draftTitle } from './draft-title.ts';
import type { PreparedTurn } from './prepare-turn.ts';
import { appendMessage, hasAnswer, repeatQuestion } from './messages.ts';
import { claimStream, findStream } from './streams.ts';
import { insertThread, lockThread } from './threads.ts';
import { findLeaf, setAside } from './versions.ts';

export interface BeginTurn extends PreparedTurn {
  readonly userId: string;
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly request: ChatRequest;
}

export interface BegunTurn {
  readonly threadId: string;
  /** The user's message. */
  readonly askedId: string;
  readonly streamId: string;
  /** The answer about to be written. */
  readonly messageId: string;
  /** Whether the first answer of the thread may set its title. */
  readonly wantsTitle: boolean;
}

export function beginTurn(db: Database, begin: BeginTurn): Promise<BegunTurn> {
  return db.transaction(async (tx) => {
    const { userId, organizationId, request, threadId, seen, asked, repeats } = begin;
    const wantsTitle = seen === undefined ? await openThread(tx, begin) : await enterThread(tx, begin, seen);
    if (request.replace !== undefined) await setAside(tx, threadId, asked.position + (repeats ? 1 : 0));
    await claimAttachments(tx, { userId, organizationId, threadId, ids: request.message.attachments ?? [] });
    if (repeats) await repeatQuestion(tx, asked);
    else await appendMessage(tx, threadId, asked);
    const first = wantsTitle && !(await hasAnswer(tx, threadId));
    return { threadId, askedId: asked.id, wantsTitle: first, ...(await claimStream(tx, threadId)) };
  });
}

/** True if the thread has not been named yet. */
async function openThread(
  tx: Transaction,
  { userId, organizationId, workspaceId, request, threadId }: BeginTurn,
): Promise<true> {
  await insertThread(tx, {
    id: threadId,
    organizationId,
    workspaceId,
    workspacePicked: request.workspace !== undefined || request.project !== undefined,
    userId,
    title: draftTitle(request.message.text),
    projectId: request.project,
  });
  return true;
}

/** A turn or a switch that came in between has changed the conversation this one is based on. */
async function enterThread(
  tx: Transaction,
  { userId, threadId }: BeginTurn,
  { leaf }: NonNullable<BeginTurn['seen']>,
): Promise<boolean> {
  const thread = await lockThread(tx, userId, threadId);
  if ((await findStream(tx, threadId)) || (await findLeaf(tx, threadId)) !== leaf) throw new AppError('thread_busy');
  return thread.wantsTitle;
}
