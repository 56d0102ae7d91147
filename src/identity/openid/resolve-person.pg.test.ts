import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { addOrganization, addPerson, outcome, type TestOrganization } from '../../../test/support/people.ts';
import { systemClock } from '../../base/clock.ts';
import type { Database } from '../../store/database.ts';
import { findResettable } from '../passwords/reset-password.ts';
import type { ProviderPerson } from './read-claims.ts';
import { resolvePerson } from './resolve-person.ts';

let db: Database;
let organization: TestOrganization;
beforeAll(async () => {
  db = await openTestDatabase();
  organization = await addOrganization(db, await addPerson(db, 'owner'));
});
afterAll(() => db.close());

const arrives = (email: string, subject: string): ProviderPerson => ({
  issuer: 'https://id.example',
  subject,
  email,
  name: 'Somebody',
  secondFactor: false,
  authTimeMs: undefined,
  groups: undefined,
});

/** As provisioning makes one: without a way in. */
async function provision(name: string): Promise<{ id: string; email: string }> {
  const person = await addPerson(db, name);
  await db.query('update :schema.identity_user set managed_by = $2 where id = $1', [person.id, organization.id]);
  return person;
}

it('an account that was provisioned and that no one has entered is entered by its first sign-in, once', async () => {
  const { id, email } = await provision('new');
  expect(await findResettable(db, email)).toEqual({ userId: id, email });
  expect(await resolvePerson(db, systemClock, arrives(email, 'new-1'))).toEqual({ kind: 'account', userId: id });
  expect(await findResettable(db, email)).toBeUndefined();
  // Another subject with the same address has to prove that the account is theirs.
  expect(await resolvePerson(db, systemClock, arrives(email, 'new-2'))).toEqual({ kind: 'link', email });
});

it('one that has a way in, that nobody provisioned, or that is shut is not entered', async () => {
  const [entered, own, shut] = [await provision('entered'), await addPerson(db, 'own'), await provision('shut')];
  await db.query(
    `insert into :schema.identity_account (id, user_id, account_id, provider_id, password) values ('acc_1', $1, $1, 'credential', 'x')`,
    [entered.id],
  );
  await db.query('update :schema.identity_user set disabled_at = now() where id = $1', [shut.id]);
  for (const [at, { email }] of [entered, own].entries())
    expect(await resolvePerson(db, systemClock, arrives(email, `other-${at}`))).toEqual({ kind: 'link', email });
  expect(await outcome(resolvePerson(db, systemClock, arrives(shut.email, 'other-3')))).toBe('account_disabled');
  expect(await findResettable(db, own.email)).toBeUndefined();
});
