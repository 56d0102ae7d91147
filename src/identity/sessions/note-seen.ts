// When a session was last used: written every few minutes at most, and no request waits for it.
import type { Log } from '../../telemetry/log.ts';
import type { Queryable } from '../../store/database.ts';
import type { Session } from './find-session.ts';

const EVERY_MS = 5 * 60_000;

export function noteSeen(
  { db, log }: { readonly db: Queryable; readonly log: Log },
  { sessionId, seenAt }: Pick<Session, 'sessionId' | 'seenAt'>,
  now: Date,
): void {
  if (now.getTime() - seenAt.getTime() < EVERY_MS) return;
  db.query('update :schema.identity_session set seen_at = $2 where id = $1 and (seen_at is null or seen_at < $3)', [
    sessionId,
    now,
    new Date(now.getTime() - EVERY_MS),
  ]).catch((error: unknown) => log.warn({ err: error }, 'could not record the last use of a session'));
}
