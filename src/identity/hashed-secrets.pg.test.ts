import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import { findSession } from './sessions/find-session.ts';

const settings = { authSecret: 'auth secret of the tests, long enough', publicUrl: 'http://localhost:4000' };

it('keeps a session token as its digest, which opens nothing itself', async () => {
  const db = await openTestDatabase();
  const token = randomBytes(16).toString('hex');
  const digest = `sha256:${createHash('sha256').update(token).digest('hex')}`;
  await db.query("insert into :schema.identity_user (id, name, email) values ('usr_1', 'Ada', 'ada@example.test')");
  const insert =
    "insert into :schema.identity_session (id, user_id, token, expires_at) values ($1, 'usr_1', $2, now() + interval '1 day')";
  await db.query(insert, ['ses_1', digest]);

  const find = (bearer: string): ReturnType<typeof findSession> =>
    findSession({ db, settings }, new Headers({ authorization: `Bearer ${bearer}` }));
  expect(await find(token)).toMatchObject({ sessionId: 'ses_1' });
  expect(await find(digest)).toBeUndefined();
  await expect(db.query(insert, ['ses_2', 'a token itself'])).rejects.toThrow('identity_session_token_is_digest');
  await db.close();
});
