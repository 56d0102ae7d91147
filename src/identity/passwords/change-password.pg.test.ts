import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { addPerson, addSession, outcome } from '../../../test/support/people.ts';
import { quickHashing } from '../../../test/support/quick-hashing.ts';
import { NO_MAILER } from '../../mail/mailer.ts';
import type { Database } from '../../store/database.ts';
import { changePassword, type ChangePasswordDeps } from './change-password.ts';
import { createPasswords, type Hashing } from './passwords.ts';

let db: Database;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const OLD = 'correct horse battery';

async function someone() {
  const person = await addPerson(db);
  await addSession(db, person);
  await addSession(db, person);
  await db.query(
    "insert into :schema.identity_account (id, user_id, account_id, provider_id, password) values ($1, $2, $2, 'credential', $3)",
    [`acc_${person.id}`, person.id, await quickHashing.hash(OLD)],
  );
  const state = async () =>
    (
      await db.query<{ sessions: number; password: string }>(
        'select (select count(*) from :schema.identity_session where user_id = $1) as sessions, (select password from :schema.identity_account where user_id = $1) as password',
        [person.id],
      )
    ).rows[0];
  const { rows } = await db.query<{ id: string }>(
    'select id from :schema.identity_session where user_id = $1 limit 1',
    [person.id],
  );
  return { userId: person.id, sessionId: rows[0]?.id ?? '', state };
}

const depsWith = (changes: Partial<ChangePasswordDeps> = {}): ChangePasswordDeps => ({
  db,
  clock: () => new Date(),
  passwords: createPasswords(quickHashing),
  mailer: NO_MAILER,
  revokeToken: async () => {},
  revokeTokensOf: async () => {},
  ...changes,
});
const changeOf = ({ userId, sessionId }: { userId: string; sessionId: string }) => ({
  userId,
  sessionId,
  currentPassword: OLD,
  newPassword: 'another horse battery',
  keepSessions: false,
  keepTokens: false,
});

it('changes the password and ends what goes with it, or neither', async () => {
  const person = await someone();
  const before = await person.state();
  const failing = depsWith({ revokeTokensOf: () => Promise.reject(new Error('the tokens could not be ended')) });
  await expect(changePassword(failing, changeOf(person))).rejects.toThrow('the tokens could not be ended');
  expect(await person.state()).toEqual(before);
  await changePassword(depsWith(), changeOf(person));
  expect(await person.state()).toEqual({ sessions: 1, password: await quickHashing.hash('another horse battery') });
});

it('lets one of two changes through that checked the same old password', async () => {
  const person = await someone();
  const both = Promise.withResolvers<void>();
  let checked = 0;
  const together: Hashing = {
    ...quickHashing,
    async verify(pair) {
      if (++checked === 2) both.resolve();
      await both.promise;
      return quickHashing.verify(pair);
    },
  };
  const outcomes = await Promise.all(
    Array.from({ length: 2 }, () =>
      outcome(changePassword(depsWith({ passwords: createPasswords(together) }), changeOf(person))),
    ),
  );
  expect(outcomes.sort()).toEqual(['conflict', 'ok']);
});

it('does nothing for a session that has ended in the meantime', async () => {
  const person = await someone();
  const ended = changeOf({ ...person, sessionId: 'ses_ended' });
  expect(await outcome(changePassword(depsWith(), ended))).toBe('unauthenticated');
  expect((await person.state())?.password).toBe(await quickHashing.hash(OLD));
});
