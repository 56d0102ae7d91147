import { expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';

it('connects', async () => {
  const db = await openTestDatabase();
  const { rows } = await db.query("select current_setting('search_path') as path, 1::bigint as n");
  expect(rows[0]).toEqual({ path: `"${db.schema}"`, n: 1 });
  expect(db.mode).toBe('startup');
  await db.close();
});
