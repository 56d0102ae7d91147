import type { AccountSession } from '../../contract/account/account.ts';
import type { Queryable } from '../../store/database.ts';
import type { SessionMethod } from './begin-session.ts';
import { describeDevice } from './describe-device.ts';

interface Row extends Record<string, unknown> {
  id: string;
  ip_address: string | null;
  user_agent: string | null;
  method: SessionMethod;
  second_factor: boolean;
  created_at: Date;
  seen_at: Date | null;
}

interface SessionPage {
  readonly userId: string;
  /** The calling session. */
  readonly sessionId: string;
  readonly now: Date;
  /** The last session of the page before. */
  readonly before: string;
  readonly limit: number;
}

/** Newest first. */
export async function listSessions(
  db: Queryable,
  { userId, sessionId, now, before, limit }: SessionPage,
): Promise<{ sessions: AccountSession[]; cursor?: string }> {
  const { rows } = await db.query<Row>(
    `select id, ip_address, user_agent, method, second_factor, created_at, seen_at
       from :schema.identity_session
      where user_id = $1 and expires_at > $2 and ($3 = '' or id < $3) order by id desc limit $4`,
    [userId, now, before, limit + 1],
  );
  const sessions = rows.slice(0, limit).map((row) => ({
    id: row.id,
    ...describeDevice(row.user_agent ?? ''),
    ...(row.ip_address ? { address: row.ip_address } : {}),
    method: row.method,
    secondFactor: row.second_factor,
    startedAt: row.created_at.toISOString(),
    seenAt: (row.seen_at ?? row.created_at).toISOString(),
    current: row.id === sessionId,
  }));
  const last = sessions.at(-1);
  return { sessions, ...(rows.length > limit && last ? { cursor: last.id } : {}) };
}
