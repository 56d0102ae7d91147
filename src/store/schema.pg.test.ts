// What the migrations make, as text: test/schema.sql, so that a review shows how the schema changes. After a change,
// `UPDATE_SCHEMA=1 vitest run --project pg src/store/schema.pg.test.ts` writes it again.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import { describeSchema } from '../../test/support/describe-schema.ts';

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
