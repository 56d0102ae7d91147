// Each act and its line: neither is there without the other.
import { createSecretKey } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { NO_MAILER } from '../mail/mailer.ts';
import type { Database, Queryable } from '../store/database.ts';
import { revokeToken, revokeTokensOf } from '../tenancy/tokens/revoke-token.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import { addOrganization, addPerson, addSession, outcome } from '../../test/support/people.ts';
import { ACTS, operate, type OperateDeps, type Operated } from './operate.ts';

let db: Database;
let deps: OperateDeps;
beforeAll(async () => {
  db = await openTestDatabase();
  const on = (tx: Queryable) => ({ db: tx as Database, clock: systemClock, key: createSecretKey(Buffer.from('key')) });
  deps = {
    db,
    clock: systemClock,
    mailer: NO_MAILER,
    deletionDays: 7,
    revokeToken: (tx, id) => revokeToken(on(tx), id),
    revokeTokensOf: (tx, id) => revokeTokensOf(on(tx), id),
  };
});
afterAll(() => db.close());

const lines = async (id: string): Promise<unknown[]> =>
  (
    await db.query<{ act: string; operator: string }>(
      'select act, operator from :schema.operator_act where subject_id = $1 order by id',
      [id],
    )
  ).rows.map(({ act, operator }) => `${operator}: ${act}`);
const every = (Object.keys(ACTS) as Operated[]).flatMap((kind) =>
  Object.keys(ACTS[kind]).map((act) => ({ kind, act })),
);

it.each(every)('$act of a $kind that is not there is refused and leaves no line', async ({ kind, act }) => {
  const id = kind === 'person' ? 'usr_nobody' : 'org_nobody';
  expect(await outcome(operate(deps, kind, act, { id, operator: 'operator' }))).toBe('not_found');
  expect(await lines(id)).toEqual([]);
});

it('leaves one line for each, who did it first, and none for one that was refused', async () => {
  const person = await addPerson(db);
  const organization = await addOrganization(db, person);
  await addSession(db, person);
  const act = (kind: Operated, name: string, id: string): Promise<string> =>
    outcome(operate(deps, kind, name, { id, operator: 'operator:olga' }));
  expect(await act('person', 'delete', person.id)).toBe('last_owner');
  expect(await act('organization', 'restore', organization.id)).toBe('not_found');
  for (const name of ['end-sessions', 'disable', 'enable']) expect(await act('person', name, person.id)).toBe('ok');
  for (const name of ['end-sessions', 'disable', 'enable', 'delete', 'restore'])
    expect(await act('organization', name, organization.id)).toBe('ok');
  expect(await lines(person.id)).toEqual(['end-sessions', 'disable', 'enable'].map((name) => `operator:olga: ${name}`));
  expect(await lines(organization.id)).toEqual(
    ['end-sessions', 'disable', 'enable', 'delete', 'restore'].map((name) => `operator:olga: ${name}`),
  );
  const { rows } = await db.query('select 1 from :schema.identity_session where user_id = $1', [person.id]);
  expect(rows).toEqual([]);
});
