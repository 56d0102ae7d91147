// Applies numbered SQL files once each, forward only, then the function files that have changed, in one transaction under an
// advisory lock, so any number of processes may start at once. Refused: a numbered file that changed after it was applied,
// and a database that a newer build has contracted beyond this one. In both cases code and tables would silently disagree.
// A database that was only expanded is fine: see migration-kind.ts.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../telemetry/log.ts';
import { applyFunctions, type FunctionFile, readFunctionState } from './apply-functions.ts';
import { quoteIdentifier } from './connection.ts';
import { ConfigError } from '../base/config.ts';
import type { Database, Queryable } from './database.ts';
import { lockTables, tablesNamed } from './lock-tables.ts';
import { oldestBuildFor } from './migration-kind.ts';
import { splitStatements } from './split-statements.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /** How many migrations a build must know at least to run with this one. */
  readonly oldestBuild: number;
}

export interface Migrations {
  readonly numbered: readonly Migration[];
  readonly functions: readonly FunctionFile[];
}

/** The numbered files of the directory, and those in `functions`, which may be absent. */
export async function readMigrations(directory: string): Promise<Migrations> {
  const entries = await readdir(directory);
  const files = entries.filter((file) => file.endsWith('.sql')).sort();
  const functions = entries.includes('functions') ? (await readdir(join(directory, 'functions'))).sort() : [];
  return {
    numbered: await Promise.all(files.map((name, position) => readNumbered(directory, name, position + 1))),
    functions: await Promise.all(functions.map((name) => readSql(join(directory, 'functions'), name))),
  };
}

async function readNumbered(directory: string, name: string, expected: number): Promise<Migration> {
  const version = Number(name.slice(0, 4));
  if (version !== expected) throw new Error(`migration ${name} is out of sequence: expected number ${expected}`);
  const file = await readSql(directory, name);
  return { version, ...file, oldestBuild: oldestBuildFor(version, file.sql) };
}

async function readSql(directory: string, name: string): Promise<FunctionFile> {
  const sql = await readFile(join(directory, name), 'utf8');
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}

/** How many files of each kind were applied. */
export interface Migrated {
  readonly applied: number;
  readonly functions: number;
}

export async function migrate(db: Database, { numbered, functions }: Migrations): Promise<Migrated> {
  return db.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock(hashtextextended('service-migrate/' || $1, 0))", [db.schema]);
    await tx.query(`create schema if not exists ${quoteIdentifier(db.schema)}`);
    await tx.query(
      'create table if not exists :schema.migration (version int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now(), oldest_build int not null)',
    );
    const { rows } = await tx.query<AppliedRow>(APPLIED);
    checkApplied(rows, numbered);
    const pending = numbered.slice(rows.length);
    await lockTables(
      tx,
      db.schema,
      pending.flatMap(({ sql }) => tablesNamed(sql)),
    );
    for (const migration of pending) await applyMigration(tx, migration);
    const waiting = await findWaitingFunctions(tx, db.schema, { numbered, functions }, rows.length);
    await applyFunctions(tx, waiting);
    return { applied: pending.length, functions: waiting.length };
  });
}

async function applyMigration(tx: Queryable, { version, name, sql, checksum, oldestBuild }: Migration): Promise<void> {
  for (const statement of splitStatements(sql)) await tx.query(statement);
  await tx.query('insert into :schema.migration (version, name, checksum, oldest_build) values ($1, $2, $3, $4)', [
    version,
    name,
    checksum,
    oldestBuild,
  ]);
}

/** If a newer build has migrated further, its functions stay. */
async function findWaitingFunctions(
  db: Queryable,
  schema: string,
  { numbered, functions }: Migrations,
  applied: number,
): Promise<readonly FunctionFile[]> {
  return applied > numbered.length ? [] : (await readFunctionState(db, schema, functions)).waiting;
}

/** For processes that may start before the api role ever has. A current schema needs no permission to change it. */
export async function ensureSchema(db: Database, migrations: Migrations): Promise<Migrated> {
  return (await isCurrent(db, migrations)) ? { applied: 0, functions: 0 } : migrate(db, migrations);
}

/** The other roles wait here until the api role has migrated; logged once. */
export async function waitForSchema(
  db: Database,
  migrations: Migrations,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  if (await isCurrent(db, migrations)) return;
  log.info({ schema: db.schema }, 'waiting for the api role to create or update the schema');
  do await sleep(100, undefined, { signal });
  while (!(await isCurrent(db, migrations)));
}

async function isCurrent(db: Database, migrations: Migrations): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>("select to_regclass($1 || '.migration') is not null as found", [
    quoteIdentifier(db.schema),
  ]);
  if (!rows[0]?.found) return false;
  const { rows: applied } = await db.query<AppliedRow>(APPLIED);
  checkApplied(applied, migrations.numbered);
  if (applied.length < migrations.numbered.length) return false;
  return (await findWaitingFunctions(db, db.schema, migrations, applied.length)).length === 0;
}

export interface AppliedRow extends Record<string, unknown> {
  version: number;
  name: string;
  checksum: string;
  oldest_build: number;
}

export const APPLIED = 'select version, name, checksum, oldest_build from :schema.migration order by version';

/** The first migration that a build with this many migrations cannot run with. */
export function findForeign(applied: readonly AppliedRow[], known: number): AppliedRow | undefined {
  return applied.find(({ version, oldest_build: oldest }) => version > known && oldest > known);
}

function checkApplied(applied: readonly AppliedRow[], known: readonly Migration[]): void {
  for (const { version, checksum } of applied) {
    const migration = known[version - 1];
    if (migration && migration.checksum !== checksum)
      throw new ConfigError(
        `migration ${migration.name} was changed after it was applied. Restore the file and add a new one.`,
      );
  }
  const foreign = findForeign(applied, known.length);
  if (foreign)
    throw new ConfigError(
      `the database is newer than this build: it has migration ${foreign.name}. Start the newer build.`,
    );
}
