import { randomBytes } from 'node:crypto';
import { expect, inject, it } from 'vitest';
import { MIGRATIONS, newSchemaName, quiet } from '../../test/support/database.ts';
import { openDatabase } from '../store/database.ts';
import { migrate, readMigrations } from '../store/migrate.ts';
import { findSession } from './find-session.ts';

const settings = { authSecret: 'auth secret of the tests, long enough', publicUrl: 'http://localhost:4000' };

it('keeps the sessions that a database of before has, as digests from then on', async () => {
  const db = await openDatabase({
    url: inject('postgresUrl'),
    schema: newSchemaName(),
    poolMax: 2,
    applicationName: 'test',
    log: quiet,
  });
  const migrations = await readMigrations(MIGRATIONS);
  const until = migrations.findIndex(({ name }) => name.endsWith('_run_authority.sql'));
  await migrate(db, migrations.slice(0, until));
  const token = randomBytes(16).toString('hex');
  await db.query("insert into :schema.identity_user (id, name, email) values ('usr_1', 'Ada', 'ada@example.test')");
  await db.query(
    "insert into :schema.identity_session (id, user_id, token, expires_at) values ('ses_1', 'usr_1', $1, now() + interval '1 day')",
    [token],
  );
  await db.query(
    "insert into :schema.identity_device_code (id, device_code, user_code, status, expires_at) values ('dev_1', 'device', 'USERCODE', 'pending', now() + interval '1 day')",
  );
  await db.query(
    "insert into :schema.oauth_grant (id, user_id, client_id, client_name, organization_id, scopes, offline, token_id, created_at, used_at) values ('grant_1', 'usr_1', 'c', 'C', 'o', '{}', true, 'tkt_1', now(), now())",
  );
  await migrate(db, migrations);

  expect(await findSession({ db, settings }, new Headers({ authorization: `Bearer ${token}` }))).toMatchObject({
    sessionId: 'ses_1',
  });
  const { rows } = await db.query<{ token: string }>('select token from :schema.identity_session');
  expect(rows).toEqual([{ token: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) }]);
  expect(
    await findSession({ db, settings }, new Headers({ authorization: `Bearer ${rows[0]?.token}` })),
  ).toBeUndefined();
  expect((await db.query('select 1 from :schema.identity_device_code')).rowCount).toBe(0);
  expect((await db.query('select grant_id from :schema.oauth_access_token')).rows).toEqual([{ grant_id: 'grant_1' }]);
  await expect(
    db.query(
      "insert into :schema.identity_session (id, user_id, token, expires_at) values ('ses_2', 'usr_1', 'a token itself', now())",
    ),
  ).rejects.toThrow('identity_session_token_is_digest');
  await db.close();
});
