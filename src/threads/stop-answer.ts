// Stops the answer of a thread, whichever process writes it: the row is marked, a notification speeds it up, and the
// writer closes the answer as it would any other.
import type { Database } from '../store/database.ts';
import { type Listener, notify } from '../store/listen.ts';
import { followStream } from './follow-stream.ts';
import { closeIfDead, findStream, STOP_TOPIC } from './streams.ts';
import { getThread } from './threads.ts';

/** How long the caller waits for it to close. */
const WAIT_MS = 5_000;
/** Past every chunk: waits only for the end. */
const NOTHING = 2_147_483_000;

/** True if there was something to stop. On return the thread is free, unless its writer takes too long. */
export async function stopAnswer(
  { db, listener }: { readonly db: Database; readonly listener: Listener | undefined },
  userId: string,
  threadId: string,
): Promise<boolean> {
  await getThread(db, userId, threadId);
  const found = await findStream(db, threadId);
  if (!found) return false;
  if (found.dead) {
    await closeIfDead(db, threadId);
    return true;
  }
  await db.query("update :schema.chat_stream set state = 'stopping' where id = $1 and state = 'open'", [found.id]);
  await notify(db, db, STOP_TOPIC, threadId);
  const end = followStream({
    db,
    listener,
    threadId,
    streamId: found.id,
    from: NOTHING,
    signal: AbortSignal.timeout(WAIT_MS),
  });
  while (!(await end.next()).done);
  return true;
}
