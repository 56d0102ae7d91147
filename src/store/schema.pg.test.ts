// What the migrations make, as text: test/schema.sql, so that a review shows how the schema changes. After a change,
// `UPDATE_SCHEMA=1 vitest run --project pg src/store/schema.pg.test.ts` writes it again.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { MIGRATIONS, openTestDatabase } from '../../test/support/database.ts';
import { describeSchema } from '../../test/support/describe-schema.ts';
import { openLanding, readRows } from '../../test/support/landing.ts';
import { ensureSchema, migrate, readMigrations } from './migrate.ts';

const SCHEMA = join(import.meta.dirname, '..', '..', 'test', 'schema.sql');
const HEAD =
  '-- Written by src/store/schema.pg.test.ts, which says how: what the migrations make of an empty database.\n\n';

it('is the one in test/schema.sql', async () => {
  const db = await openTestDatabase();
  onTestFinished(() => db.close());
  const made = HEAD + (await describeSchema(db));
  if (process.env['UPDATE_SCHEMA']) await writeFile(SCHEMA, made);
  expect(made).toBe(await readFile(SCHEMA, 'utf8'));
});

it('is the same in a database from before the first release, which keeps its rows', async () => {
  const { db, rows } = await openLanding();
  onTestFinished(() => db.close());
  const migrations = await readMigrations(MIGRATIONS);
  const expected = { applied: migrations.numbered.length - 1, functions: migrations.functions.length };
  expect(await ensureSchema(db, migrations)).toEqual(expected);
  expect(HEAD + (await describeSchema(db))).toBe(await readFile(SCHEMA, 'utf8'));
  expect(await readRows(db)).toMatchObject({ ...rows, migration: migrations.numbered.map(({ name }) => ({ name })) });
  expect(await migrate(db, migrations)).toEqual({ applied: 0, functions: 0 });
});

it('is not touched if an earlier build created it before the first release', async () => {
  const { db } = await openLanding();
  onTestFinished(() => db.close());
  await db.query('delete from :schema.migration where version = 25');
  const before = await describeSchema(db);
  const migrations = await readMigrations(MIGRATIONS);
  for (const bring of [migrate, ensureSchema])
    await expect(bring(db, migrations)).rejects.toThrow(
      'its last migration is 0024_stored_responses.sql, which this build cannot carry over. Start the build whose last migration is 0025_broker_liveness.sql once',
    );
  await db.query(
    "insert into :schema.migration (version, name, checksum) values (25, '0025_broker_liveness.sql', 'x')",
  );
  await expect(migrate(db, migrations)).rejects.toThrow('cannot carry over');
  expect(await describeSchema(db)).toBe(before);
});
