// A migrated schema of its own for a test file, on the run's PostgreSQL.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { inject } from 'vitest';
import type { Log } from '../../src/telemetry/log.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { migrate, readMigrations } from '../../src/store/migrate.ts';

export const quiet: Log = pino({ level: 'silent' });
export const MIGRATIONS = join(import.meta.dirname, '..', '..', 'migrations');

export function newSchemaName(): string {
  return `test_${randomBytes(6).toString('hex')}`;
}

export async function openTestDatabase(
  options: { poolMax?: number; schema?: string; applicationName?: string } = {},
): Promise<Database> {
  const db = await openDatabase({
    url: inject('postgresUrl'),
    schema: options.schema ?? newSchemaName(),
    poolMax: options.poolMax ?? 2,
    applicationName: options.applicationName ?? 'test',
    log: quiet,
  });
  await migrate(db, await readMigrations(MIGRATIONS));
  return db;
}

/** A superuser's connection, for what only an operator or an intruder could do. */
export async function withSuperuser<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
