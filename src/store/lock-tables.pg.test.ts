import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import { poll } from '../../test/support/poll.ts';
import type { Database } from './database.ts';
import { lockTables, tablesNamed } from './lock-tables.ts';

let db: Database;
let other: Database;
beforeAll(async () => {
  db = await openTestDatabase();
  other = await openTestDatabase({ schema: db.schema });
  await db.query('create table :schema.a (x int)');
  await db.query('create table :schema.b (x int)');
});
afterAll(async () => {
  await db?.close();
  await other?.close();
});

it('takes all or none, so that a transaction with another lock order is never ended', async () => {
  const has = Promise.withResolvers<void>();
  const passed = other.transaction(async (tx) => {
    await tx.query('insert into :schema.b values (1)');
    has.resolve();
    // From here on each waits for the other, unless the first gives its locks up.
    await poll(async () => {
      const { rows } = await tx.query("select from pg_locks where relation = ':schema.b'::regclass and not granted");
      return rows.length > 0;
    });
    await tx.query('insert into :schema.a values (1)');
  });
  await has.promise;
  await db.transaction(async (tx) => {
    await lockTables(tx, db.schema, ['a', 'b', 'none']);
    await tx.query('alter table :schema.a add column y int');
  });
  await passed;
  expect((await db.query('select x from :schema.a')).rows).toEqual([{ x: 1 }]);
});

it('finds the tables that a migration names, and not those in the bodies of functions', () => {
  expect(
    tablesNamed(
      '-- expand\nalter table :schema.b add column x int;\ncreate table :schema.c (a text references :schema.a (id));\ncreate function :schema.f() returns int language sql as $$\n  select 1 from :schema.d\n$$;',
    ),
  ).toEqual(['a', 'b', 'c', 'f']);
});
