// Starts one real PostgreSQL for the whole test run; each test file takes a schema of its own in it. With
// SERVICE_TEST_POSTGRES_URL, a superuser's, the run takes that server instead: another version, say.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findPostgresBinaries } from '../../src/postgres/binaries.ts';
import { launchPostgres } from '../../src/postgres/launch.ts';
import { freePort } from './free-port.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['SERVICE_TEST_POSTGRES_URL'];
  if (given) {
    project.provide('postgresUrl', given);
    return async () => {};
  }
  const directory = await mkdtemp(join(tmpdir(), 'service-test-pg-'));
  const server = await launchPostgres({
    binaries: await findPostgresBinaries(import.meta.url),
    directory: join(directory, 'data'),
    port: await freePort(),
    password: 'test',
    adminPassword: 'test',
    logFile: join(directory, 'postgres.log'),
  });
  project.provide('postgresUrl', server.adminUrl);
  return async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  };
}
