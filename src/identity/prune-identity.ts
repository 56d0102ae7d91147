// Deletes what can no longer be used, in one bounded batch per table. Used codes and refresh tokens are kept until they
// expire, because until then a second use must be detected.
import type { Database } from '../store/database.ts';

const BATCH = 1_000;

/** Which rows have ended: a column, its condition against `$1`, and how long they are kept afterwards. */
const OVER = [
  { table: 'identity_session', key: 'id', when: 'expires_at < $1', keepDays: 0 },
  { table: 'identity_verification', key: 'id', when: 'expires_at < $1', keepDays: 0 },
  { table: 'identity_device_code', key: 'id', when: 'expires_at < $1', keepDays: 1 },
  { table: 'openid_used', key: 'digest', when: 'expires_at < $1', keepDays: 0 },
  { table: 'identity_link', key: 'digest', when: 'expires_at < $1', keepDays: 0 },
  { table: 'identity_challenge', key: 'digest', when: 'expires_at < $1', keepDays: 0 },
  { table: 'oauth_request', key: 'id', when: 'expires_at < $1', keepDays: 0 },
  { table: 'oauth_code', key: 'hash', when: 'expires_at < $1', keepDays: 1 },
  { table: 'oauth_refresh_token', key: 'hash', when: 'expires_at < $1', keepDays: 1 },
  { table: 'oauth_access_token', key: 'token_id', when: 'expires_at < $1', keepDays: 1 },
  { table: 'oauth_grant', key: 'id', when: 'used_at < $1', keepDays: 60 },
  { table: 'oauth_client', key: 'id', when: 'used_at < $1', keepDays: 90 },
] as const;

export async function pruneIdentity(db: Database, now: Date): Promise<number> {
  let pruned = 0;
  for (const { table, key, when, keepDays } of OVER) {
    const before = new Date(now.getTime() - keepDays * 86_400_000);
    const { rowCount } = await db.query(
      `delete from :schema.${table} where ${key} in (select ${key} from :schema.${table} where ${when} limit ${BATCH})`,
      [before],
    );
    pruned += rowCount;
  }
  return pruned;
}
