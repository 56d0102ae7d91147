// What a person does to the versions of a conversation. While an answer is being written the branch that the thread
// shows stays as it is: only the answer itself can be deleted, which stops it.
import { AppError } from '../base/errors.ts';
import type { Database, Transaction } from '../store/database.ts';
import type { Listener } from '../store/listen.ts';
import { stopAnswer } from './stop-answer.ts';
import { closeIfDead, findStream } from './streams.ts';
import { getThread, lockThread } from './threads.ts';
import { removeBranch, showBranch } from './versions.ts';

export interface ChosenMessage {
  readonly userId: string;
  readonly threadId: string;
  readonly messageId: string;
}

/** The thread shows this message, and what followed it when it was last shown. */
export function switchVersion(db: Database, { userId, threadId, messageId }: ChosenMessage): Promise<void> {
  return inFreeThread(db, userId, threadId, (tx) => showBranch(tx, threadId, messageId));
}

/** Deletes a version with everything that followed it. The answer that is being written is stopped first. */
export async function removeVersion(
  deps: { readonly db: Database; readonly listener: Listener | undefined },
  { userId, threadId, messageId }: ChosenMessage,
): Promise<void> {
  await getThread(deps.db, userId, threadId);
  const writing = (await findStream(deps.db, threadId))?.messageId === messageId;
  if (writing) await stopAnswer(deps, userId, threadId);
  try {
    await inFreeThread(deps.db, userId, threadId, (tx) => removeBranch(tx, threadId, messageId));
  } catch (error) {
    // It failed before anything was written, so nothing was stored.
    if (!(writing && error instanceof AppError && error.code === 'not_found')) throw error;
  }
}

async function inFreeThread<Result>(
  db: Database,
  userId: string,
  threadId: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  await getThread(db, userId, threadId);
  if ((await findStream(db, threadId))?.dead) await closeIfDead(db, threadId);
  return db.transaction(async (tx) => {
    await lockThread(tx, userId, threadId);
    if (await findStream(tx, threadId)) throw new AppError('thread_busy');
    return work(tx);
  });
}
