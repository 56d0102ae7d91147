import { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import type { Database } from '../store/database.ts';
import { databaseDialect } from './database-dialect.ts';

interface Tables {
  identity_user: { id: string; name: string; email: string };
}

let db: Database;
let kysely: Kysely<Tables>;

beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 1 });
  kysely = new Kysely<Tables>({ dialect: databaseDialect(db) }).withSchema(db.schema);
});
afterAll(() => db.close());

const person = (id: string): Tables['identity_user'] => ({ id, name: id, email: `${id}@example.test` });
const names = async (): Promise<string[]> =>
  (await kysely.selectFrom('identity_user').select('id').orderBy('id').execute()).map((row) => row.id);

it('keeps what a transaction commits', async () => {
  await kysely.transaction().execute(async (tx) => {
    await tx.insertInto('identity_user').values(person('kept')).execute();
  });
  expect(await names()).toEqual(['kept']);
});

it('rolls a transaction back and reports why', async () => {
  const work = kysely.transaction().execute(async (tx) => {
    await tx.insertInto('identity_user').values(person('lost')).execute();
    throw new Error('changed my mind');
  });
  await expect(work).rejects.toThrow('changed my mind');
  expect(await names()).toEqual(['kept']);
});

it('passes on an error of the database and stays usable', async () => {
  await expect(kysely.insertInto('identity_user').values(person('kept')).execute()).rejects.toMatchObject({
    code: '23505',
  });
  const work = kysely.transaction().execute((tx) => tx.insertInto('identity_user').values(person('kept')).execute());
  await expect(work).rejects.toMatchObject({ code: '23505' });
  expect(await names()).toEqual(['kept']);
});

it('counts the rows that a statement touched', async () => {
  const changed = await kysely.updateTable('identity_user').set({ name: 'renamed' }).executeTakeFirst();
  expect(changed.numUpdatedRows).toBe(1n);
});

it('reports when no connection is available', async () => {
  const closed = await openTestDatabase();
  await closed.close();
  const broken = new Kysely<Tables>({ dialect: databaseDialect(closed) });
  await expect(broken.transaction().execute(async () => {})).rejects.toThrow(/pool after calling end/);
});
