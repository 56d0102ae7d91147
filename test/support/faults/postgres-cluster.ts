// Clusters of Debian's PostgreSQL, whose programs replicate and recover, on this machine: a primary, what is made of its
// base backups, and the end of one as when a machine loses its power.
import { execFile } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findDirectoryOf } from '../../../scripts/test-programs.ts';
import { ADMIN_USER, APPLICATION_USER } from '../../../src/postgres/accounts.ts';
import { chooseRunAs, prepareDirectory, spawnAs } from '../../../src/postgres/run-as.ts';
import { freePort } from '../free-port.ts';
import { poll } from '../poll.ts';

const programs = findDirectoryOf('initdb', 'postgres', 'pg_basebackup');
/** With the client programs of the same version. */
export const CLUSTER_PROGRAMS = programs ?? '/nonexistent';
export const clusterSkipReason =
  programs === undefined ? "no PostgreSQL server with pg_basebackup (Debian's postgresql) is installed" : undefined;

export interface Cluster {
  readonly port: number;
  readonly directory: string;
  /** For the service. */
  readonly url: string;
  query<R extends pg.QueryResultRow>(sql: string): Promise<R[]>;
  /** Kills every process of it at the same moment. */
  die(): Promise<void>;
  stop(): Promise<void>;
}

const program = (name: string): string => join(CLUSTER_PROGRAMS, name);
const binaries = {
  initdb: program('initdb'),
  postgres: program('postgres'),
  libraries: join(CLUSTER_PROGRAMS, '..', 'lib'),
};
const urlOf = (user: string, port: number): string => `postgresql://${user}@127.0.0.1:${port}/postgres`;

export async function createCluster(
  directory: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await prepareDirectory(chooseRunAs(), directory, binaries);
  const args = ['-D', directory, '-U', ADMIN_USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const code = await exitOf(spawnHere([binaries.initdb, ...args], `${directory}.log`));
  if (code !== 0) throw new Error(`initdb ended with code ${code}: ${await readFile(`${directory}.log`, 'utf8')}`);
  return startCluster(directory, settings);
}

/** One with the service's role, which owns the database. */
export async function createServiceCluster(
  directory: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  const cluster = await createCluster(directory, settings);
  await cluster.query(`create role ${APPLICATION_USER} login; alter database postgres owner to ${APPLICATION_USER}`);
  return cluster;
}

/** Returns once it answers: a primary, a standby, or one that has recovered as far as it was told. */
export async function startCluster(directory: string, settings: Readonly<Record<string, string>>): Promise<Cluster> {
  await prepareDirectory(chooseRunAs(), directory, binaries);
  const port = await freePort();
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port), ...settings };
  const set = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawnHere([binaries.postgres, '-D', directory, ...set], `${directory}.log`);
  const ended = exitOf(child);
  let gone = false;
  void ended.finally(() => (gone = true));
  const query = <R extends pg.QueryResultRow>(sql: string): Promise<R[]> => ask<R>(urlOf(ADMIN_USER, port), sql);
  const pid = child.pid ?? 0;
  await poll(async () => {
    if (gone) throw new Error(`PostgreSQL ended: ${(await readFile(`${directory}.log`, 'utf8')).slice(-2_000)}`);
    return query('select').then(
      () => true,
      () => false,
    );
  });
  return {
    port,
    directory,
    url: urlOf(APPLICATION_USER, port),
    query,
    async die() {
      const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
      for (const one of [pid, ...children.trim().split(' ').map(Number)]) process.kill(one, 'SIGKILL');
      await ended;
    },
    async stop() {
      if (!gone) process.kill(pid, 'SIGINT');
      await ended;
    },
  };
}

/** A copy of a running cluster; `args` say how it goes on from there. */
export async function takeBaseBackup(port: number, directory: string, args: readonly string[]): Promise<void> {
  const from = ['--dbname', `host=127.0.0.1 port=${port} user=${ADMIN_USER}`, '--pgdata', directory];
  await promisify(execFile)(program('pg_basebackup'), [...from, '--checkpoint=fast', ...args]);
}

function spawnHere(command: readonly [string, ...string[]], log: string): ReturnType<typeof spawnAs> {
  const logFd = openSync(log, 'a', 0o600);
  try {
    return spawnAs(chooseRunAs(), command, { binaries, logFd });
  } finally {
    closeSync(logFd);
  }
}

function exitOf(child: ReturnType<typeof spawnAs>): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
}

async function ask<R extends pg.QueryResultRow>(connectionString: string, sql: string): Promise<R[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}
