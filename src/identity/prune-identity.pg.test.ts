import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import type { Database } from '../store/database.ts';
import { pruneIdentity } from './prune-identity.ts';
import { digestSecret } from './secret-digests.ts';

const DAY_MS = 86_400_000;
let db: Database;

beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

it('deletes what has expired or was never used, and nothing that may still be used', async () => {
  const now = new Date();
  const days = (n: number): Date => new Date(now.getTime() + n * DAY_MS);
  await db.query("insert into :schema.identity_user (id, name, email) values ('u', 'U', 'u@example.test')");
  for (const [id, at] of [
    ['old', days(-1)],
    ['live', days(1)],
  ] as const) {
    await db.query('insert into :schema.identity_session (id, user_id, token, expires_at) values ($1, $2, $3, $4)', [
      id,
      'u',
      digestSecret(id),
      at,
    ]);
    await db.query(
      "insert into :schema.oauth_request (id, client_id, client_name, redirect_uri, scopes, offline, code_challenge, created_at, expires_at) values ($1, 'c', 'C', 'https://c.example', '{}', false, 'x', $2, $3)",
      [digestSecret(id), now, at],
    );
  }
  for (const [id, usedAt] of [
    ['old', days(-91)],
    ['live', days(-59)],
  ] as const) {
    await db.query(
      "insert into :schema.oauth_client (id, name, application_type, redirect_uris, grant_types, created_at, used_at) values ($1, 'C', 'web', '{}', '{}', $2, $2)",
      [id, usedAt],
    );
    await db.query(
      "insert into :schema.oauth_grant (id, user_id, client_id, client_name, organization_id, scopes, offline, created_at, used_at) values ($1, 'u', 'c', 'C', 'o', '{}', true, $2, $2)",
      [id, usedAt],
    );
    await db.query(
      'insert into :schema.oauth_refresh_token (hash, grant_id, client_id, created_at, expires_at) values ($1, $2, $3, $4, $5)',
      [Buffer.from(id), id, 'c', now, days(30)],
    );
  }
  // The refresh token of the pruned grant goes with it, uncounted.
  expect(await pruneIdentity(db, now)).toBe(4);
  expect((await db.query('select id from :schema.oauth_request')).rows).toEqual([{ id: digestSecret('live') }]);
  for (const table of ['identity_session', 'oauth_client', 'oauth_grant']) {
    expect([table, (await db.query(`select id from :schema.${table}`)).rows]).toEqual([table, [{ id: 'live' }]]);
  }
  expect((await db.query('select grant_id from :schema.oauth_refresh_token')).rows).toEqual([{ grant_id: 'live' }]);
  expect(await pruneIdentity(db, now)).toBe(0);
});
