// A database as the last landing left it, with what people did in it: two finished runs, one that has not begun, a chat.
// The fixture holds its rows, written down with to_jsonb from every table but the broker's; its tables are what the
// migrations up to there make, which never change once they have landed.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { migrate, readMigrations } from '../../src/store/migrate.ts';
import { MIGRATIONS, newSchemaName, quiet, withSuperuser } from './database.ts';

const LANDED = 24;
const FIXTURE = join(import.meta.dirname, 'fixtures', `landing-${String(LANDED).padStart(4, '0')}.json`);

type Rows = readonly Readonly<Record<string, unknown>>[];

export interface Landing {
  readonly db: Database;
  readonly url: string;
  readonly rows: Readonly<Record<string, Rows>>;
}

export async function openLanding(): Promise<Landing> {
  const url = inject('postgresUrl');
  const db = await openDatabase({ url, schema: newSchemaName(), poolMax: 4, applicationName: 'test', log: quiet });
  await migrate(db, (await readMigrations(MIGRATIONS)).slice(0, LANDED));
  const rows = JSON.parse(await readFile(FIXTURE, 'utf8')) as Landing['rows'];
  await withSuperuser(async (client) => {
    // Rows come table by table, whatever refers to what.
    await client.query('set session_replication_role = replica');
    for (const [table, found] of Object.entries(rows)) {
      const columns = Object.keys(found[0] ?? {})
        .map((name) => `"${name}"`)
        .join(', ');
      await client.query(
        `insert into "${db.schema}".${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::"${db.schema}".${table}, $1)`,
        [JSON.stringify(found)],
      );
    }
  });
  return { db, url, rows };
}
