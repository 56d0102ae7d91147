import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import { describeDatabase } from './describe-database.ts';
import { measureDatabase, type MeasuredDatabase } from './measure-database.ts';

let db: MeasuredDatabase;
beforeAll(async () => {
  db = measureDatabase(await openTestDatabase({ poolMax: 2 }), 2);
});
afterAll(() => db.close());

it('counts connections in use and callers that wait for one', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let entered = 0;
  const { promise: full, resolve: both } = Promise.withResolvers<void>();
  const hold = (): Promise<void> => db.transaction(() => (++entered === 2 ? both() : undefined, released));
  const holding = [hold(), hold()];
  await full;
  const waiting = db.query('select 1');
  expect(db.figures()).toMatchObject({ poolMax: 2, busy: 2, waiting: 1 });
  release();
  await Promise.all([...holding, waiting]);
  expect(db.figures()).toMatchObject({ busy: 0, waiting: 0 });
});

it('reports every statement, including those in transactions and failed ones', async () => {
  const seen: boolean[] = [];
  db.onStatement((seconds, ok) => seen.push(ok && seconds >= 0));
  const before = db.figures();
  await db.transaction((tx) => tx.query('select 2 as two'));
  await expect(db.query('select nonsense_column')).rejects.toThrow('nonsense_column');
  expect(seen).toEqual([true, false]);
  expect(db.figures()).toMatchObject({ statements: before.statements + 2, failures: before.failures + 1, busy: 0 });
  expect(db.slowest(100)).toContainEqual(
    expect.objectContaining({ sql: 'select nonsense_column', count: 1, failures: 1 }),
  );
  expect(db.slowest(1)).toHaveLength(1);
});

it('still commits and rolls back', async () => {
  await db.transaction((tx) => tx.query('create table :schema.kept (n int)'));
  await expect(
    db.transaction(async (tx) => {
      await tx.query('insert into :schema.kept values (1)');
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect((await db.query('select * from :schema.kept')).rows).toEqual([]);
});

it('describes the database: path, migrations, sizes, connections', async () => {
  const described = await describeDatabase(db);
  expect(described).toMatchObject({
    schema: db.schema,
    searchPath: { mode: 'startup', holds: true },
    server: { database: 'postgres', inRecovery: false },
    pool: { poolMax: 2 },
  });
  expect(described['migrations']).toContainEqual(expect.objectContaining({ version: 1, name: '0001_schema.sql' }));
  expect(described['tables']).toContainEqual(expect.objectContaining({ name: 'receipt' }));
  expect(described['connections']).toContainEqual(expect.objectContaining({ application: 'test' }));
});
