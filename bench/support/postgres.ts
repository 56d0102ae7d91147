// A PostgreSQL server for one bench, in a temporary directory, and databases on it with the schema in place.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { findPostgresBinaries } from '../../src/postgres/binaries.ts';
import { launchPostgres } from '../../src/postgres/launch.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { migrate, readMigrations } from '../../src/store/migrate.ts';
import { freePort } from '../../test/support/free-port.ts';

export const silentLog = pino({ level: 'silent' });

export interface BenchPostgres {
  readonly url: string;
  /** The superuser's. */
  readonly adminUrl: string;
  readonly pid: number;
  open(options?: { schema?: string; poolMax?: number; name?: string }): Promise<Database>;
  /** Opens a database and migrates its schema. */
  openMigrated(options?: { schema?: string; poolMax?: number }): Promise<Database>;
  stop(): Promise<void>;
}

export async function startPostgres(settings: Record<string, string> = {}): Promise<BenchPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'service-bench-'));
  const server = await launchPostgres({
    binaries: await findPostgresBinaries(import.meta.url),
    directory: join(directory, 'data'),
    port: await freePort(),
    password: 'bench',
    adminPassword: 'bench-admin',
    logFile: join(directory, 'postgres.log'),
    settings,
  });
  const open: BenchPostgres['open'] = ({ schema = 'bench', poolMax = 2, name = 'bench' } = {}) =>
    openDatabase({ url: server.url, schema, poolMax, applicationName: name, log: silentLog });
  return {
    url: server.url,
    adminUrl: server.adminUrl,
    pid: server.pid,
    open,
    async openMigrated(options) {
      const db = await open(options);
      await migrate(db, await readMigrations(join(import.meta.dirname, '..', '..', 'migrations')));
      return db;
    },
    async stop() {
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
