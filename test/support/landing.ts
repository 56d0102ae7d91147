// A database as the last build before 0001_schema.sql left it, with what people did in it: two finished runs, one that
// has not begun, a chat.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { newSchemaName, quiet, withSuperuser } from './database.ts';

const FIXTURE = join(import.meta.dirname, 'fixtures', 'before-squash.sql');

type Rows = readonly Readonly<Record<string, unknown>>[];

export interface Landing {
  readonly db: Database;
  readonly url: string;
  readonly rows: Readonly<Record<string, Rows>>;
}

export async function openLanding(): Promise<Landing> {
  const [url, schema] = [inject('postgresUrl'), newSchemaName()];
  const dump = await readFile(FIXTURE, 'utf8');
  await withSuperuser((client) => client.query(dump.replaceAll('before_squash', schema)));
  const db = await openDatabase({ url, schema, poolMax: 4, applicationName: 'test', log: quiet });
  return { db, url, rows: await readRows(db) };
}

/** Every row of every table. */
export async function readRows(db: Database): Promise<Landing['rows']> {
  const { rows: tables } = await db.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = to_regnamespace(quote_ident($1)) and relkind = 'r' order by 1",
    [db.schema],
  );
  const read = tables.map(async ({ name }): Promise<[string, Rows]> => {
    const { rows } = await db.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as row from :schema.${name} t`,
    );
    return [name, rows.map(({ row }) => row)];
  });
  return Object.fromEntries(await Promise.all(read));
}
