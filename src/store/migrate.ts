// Forward-only numbered SQL files, applied in one transaction under an advisory lock, so that any number of
// processes may start at once. A file that changed after it was applied, and a database newer than this build,
// are refused: both would leave the code and the tables disagreeing in silence.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../base/log.ts';
import { quoteIdentifier } from './connection.ts';
import type { Database } from './database.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

export async function readMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (name, position) => {
      const version = Number(name.slice(0, 4));
      if (version !== position + 1) throw new Error(`migration ${name} is out of sequence: expected number ${position + 1}`);
      const sql = await readFile(join(directory, name), 'utf8');
      return { version, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

export async function migrate(db: Database, migrations: readonly Migration[]): Promise<{ applied: number }> {
  return db.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock(hashtextextended('service-migrate/' || $1, 0))", [db.schema]);
    await tx.query(`create schema if not exists ${quoteIdentifier(db.schema)}`);
    await tx.query('create table if not exists :schema.migration (version int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())');
    const { rows } = await tx.query<AppliedRow>(APPLIED);
    checkApplied(rows, migrations);
    const pending = migrations.slice(rows.length);
    for (const migration of pending) {
      for (const statement of splitStatements(migration.sql)) await tx.query(statement);
      await tx.query('insert into :schema.migration (version, name, checksum) values ($1, $2, $3)', [migration.version, migration.name, migration.checksum]);
    }
    return { applied: pending.length };
  });
}

/** For parts that serve alone, before the api role was ever there. Where the schema is current, no right to change it is needed. */
export async function ensureSchema(db: Database, migrations: readonly Migration[]): Promise<{ applied: number }> {
  return (await isCurrent(db, migrations)) ? { applied: 0 } : migrate(db, migrations);
}

/** The other roles wait here until somebody has migrated, and say once what they wait for. */
export async function waitForSchema(db: Database, migrations: readonly Migration[], log: Log, signal: AbortSignal): Promise<void> {
  if (await isCurrent(db, migrations)) return;
  log.info({ schema: db.schema }, 'waiting for the schema, which the api role makes or brings up to date when it starts');
  do await sleep(100, undefined, { signal });
  while (!(await isCurrent(db, migrations)));
}

async function isCurrent(db: Database, migrations: readonly Migration[]): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>("select to_regclass($1 || '.migration') is not null as found", [quoteIdentifier(db.schema)]);
  if (!rows[0]?.found) return false;
  const applied = await db.query<AppliedRow>(APPLIED);
  checkApplied(applied.rows, migrations);
  return applied.rows.length === migrations.length;
}

interface AppliedRow extends Record<string, unknown> {
  version: number;
  name: string;
  checksum: string;
}
const APPLIED = 'select version, name, checksum from :schema.migration order by version';

function checkApplied(applied: readonly AppliedRow[], known: readonly Migration[]): void {
  for (const row of applied) {
    const migration = known[row.version - 1];
    if (!migration) throw new Error(`the database is newer than this build: it has migration ${row.name}. Start the newer build.`);
    if (migration.checksum !== row.checksum) throw new Error(`migration ${migration.name} was changed after it was applied. Restore the file and add a new one.`);
  }
}

/** Splits at semicolons that end a line outside a $$ body; the files are ours, so this is all they need. */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let current = '';
  let inBody = false;
  for (const line of sql.split('\n')) {
    if (!inBody && /^\s*(--.*)?$/.test(line)) continue;
    current += `${line}\n`;
    if ((line.match(/\$\$/g) ?? []).length % 2 === 1) inBody = !inBody;
    if (!inBody && line.trimEnd().endsWith(';')) {
      statements.push(current.trim().replace(/;$/, ''));
      current = '';
    }
  }
  if (current.trim() !== '') statements.push(current.trim());
  return statements;
}
