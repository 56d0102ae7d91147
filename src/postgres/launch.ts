// Runs a PostgreSQL cluster of our own in a directory. A server that is still running there from before is adopted,
// once it has let us in and has named this directory as its own.
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findProcess, isSameProcess } from '../base/find-process.ts';
import type { PostgresBinaries } from './binaries.ts';
import { CannotStartPostgres } from './cannot-start.ts';
import { findComplaint } from './find-complaint.ts';
import { tryLogIn } from './log-in.ts';
import { chooseRunAs, prepareDirectory, type RunAs, shareFile, spawnAs } from './run-as.ts';

export interface PostgresOptions {
  readonly binaries: PostgresBinaries;
  readonly directory: string;
  readonly port: number;
  readonly password: string;
  readonly logFile: string;
  readonly settings?: Record<string, string>;
  /** How to run when the caller is root; chosen by what the machine allows unless given. */
  readonly runAs?: RunAs;
  readonly signal?: AbortSignal;
}

export interface RunningPostgres {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly adopted: boolean;
  /** Resolves when the server is gone, for whatever reason. */
  readonly exited: Promise<void>;
  stop(): Promise<void>;
  /** At once and without a checkpoint; the next start recovers. */
  kill(): void;
}

const USER = 'service';
const READY_TIMEOUT_MS = 60_000;
const ADOPT_TIMEOUT_MS = 30_000;
const SETTLE_MS = 10_000;
const STOP_TIMEOUT_MS = 15_000;
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '64MB',
  jit: 'off',
  log_timezone: 'UTC',
  timezone: 'UTC',
};

export async function launchPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  await mkdir(dirname(options.logFile), { recursive: true, mode: 0o700 });
  const way = options.runAs ?? chooseRunAs();
  if (!existsSync(join(options.directory, 'PG_VERSION'))) await initialize(options, way);
  return (await adopt(options)) ?? (await startPatiently(options, way));
}

/** Builds the cluster beside its place and moves it there whole, so that an interrupted start leaves nothing half-made. */
async function initialize({ binaries, directory, password, logFile }: PostgresOptions, way: RunAs): Promise<void> {
  const fresh = `${directory}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true, mode: 0o700 });
  await prepareDirectory(way, fresh, binaries);
  const secret = join(await mkdtemp(join(tmpdir(), 'service-init-')), 'password');
  await writeFile(secret, password, { mode: 0o600 });
  await shareFile(way, secret);
  const log = await open(logFile, 'a', 0o600);
  try {
    const args = ['-D', fresh, '-U', USER, `--pwfile=${secret}`, '-A', 'scram-sha-256', '-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
    const { size } = await log.stat();
    const code = await exitOf(spawnAs(way, binaries.initdb, args, binaries, log.fd));
    if (code !== 0) throw new CannotStartPostgres(`the database could not be made (${(await findComplaint(logFile, size)) ?? `initdb ended with code ${code}`}); see ${logFile}`);
    await rename(fresh, directory);
  } finally {
    await rm(fresh, { recursive: true, force: true });
    await log.close();
    await rm(dirname(secret), { recursive: true, force: true });
  }
}

async function adopt({ directory, password, signal }: PostgresOptions): Promise<RunningPostgres | undefined> {
  const lines = await readFile(join(directory, 'postmaster.pid'), 'utf8').then((text) => text.split('\n'), () => []);
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  const found = findProcess(pid);
  if (found === undefined || !port) return undefined;
  if (found.name !== 'postgres') {
    // The number went to another program since, as it does after a restart of the machine or the container. The
    // server would take that program for another server and refuse to start.
    await rm(join(directory, 'postmaster.pid'));
    return undefined;
  }
  const alive = (): boolean => isSameProcess(pid, found.identity);
  // It may still recover, or already be on its way out: wait until it is one or the other.
  for (const deadline = Date.now() + ADOPT_TIMEOUT_MS; alive() && Date.now() < deadline; await sleep(100, undefined, signal && { signal })) {
    const answer = await tryLogIn(urlOf(port, password));
    if (answer.state === 'refused') throw wrongPassword(directory);
    if (answer.state !== 'open') continue;
    if (answer.directory !== (await realpath(directory)) && answer.directory !== directory) return undefined;
    const exited = (async () => {
      while (alive()) await sleep(500, undefined, { ref: false });
    })();
    return running({ pid, port, password, adopted: true, exited, alive });
  }
  return undefined;
}

/** A server that was killed may leave children behind that need a moment to notice; until then none can start. */
async function startPatiently(options: PostgresOptions, way: RunAs): Promise<RunningPostgres> {
  const wasKilled = existsSync(join(options.directory, 'postmaster.pid'));
  for (const deadline = Date.now() + (wasKilled ? SETTLE_MS : 0); ; await sleep(100)) {
    try {
      return await start(options, way);
    } catch (error) {
      if (!(error instanceof EndedEarly) || Date.now() >= deadline || options.signal?.aborted) throw error;
    }
  }
}

class EndedEarly extends Error {}

async function start(options: PostgresOptions, way: RunAs): Promise<RunningPostgres> {
  const { binaries, directory, port, password, logFile, signal } = options;
  await prepareDirectory(way, directory, binaries);
  const log = await open(logFile, 'a', 0o600);
  const { size } = await log.stat();
  const settings = Object.entries({ ...SETTINGS, ...options.settings, port: String(port) }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawnAs(way, binaries.postgres, ['-D', directory, ...settings], binaries, log.fd);
  await log.close();
  let gone = false;
  const exited = (async () => {
    await exitOf(child);
    gone = true;
  })();
  const giveUp = async (reason: Error): Promise<never> => {
    child.kill('SIGINT');
    const late = sleep(STOP_TIMEOUT_MS, 'late' as const, { ref: false });
    if ((await Promise.race([exited, late])) === 'late') child.kill('SIGQUIT');
    throw reason;
  };
  for (const deadline = Date.now() + READY_TIMEOUT_MS; ; await sleep(20)) {
    if (gone) throw new EndedEarly(`PostgreSQL did not start${await findComplaint(logFile, size).then((text) => (text === undefined ? '' : `, ${text}`))}; see ${logFile}`);
    const { state } = await tryLogIn(urlOf(port, password));
    if (state === 'open') break;
    if (state === 'refused') await giveUp(wrongPassword(directory));
    if (signal?.aborted) await giveUp(new Error('stopped while PostgreSQL was starting'));
    if (Date.now() > deadline) await giveUp(new Error(`PostgreSQL did not answer within ${READY_TIMEOUT_MS / 1000} s; see ${logFile}`));
  }
  return running({ pid: child.pid ?? 0, port, password, adopted: false, exited, alive: () => !gone });
}

function running(server: { pid: number; port: number; password: string; adopted: boolean; exited: Promise<void>; alive: () => boolean }): RunningPostgres {
  const { pid, port, adopted, exited, alive } = server;
  const signal = (name: NodeJS.Signals): void => {
    if (alive()) process.kill(pid, name);
  };
  return {
    url: urlOf(port, server.password),
    port,
    pid,
    adopted,
    exited,
    kill: () => signal('SIGQUIT'),
    async stop() {
      // SIGINT is PostgreSQL's fast shutdown: it ends sessions, writes a checkpoint and leaves.
      signal('SIGINT');
      const late = sleep(STOP_TIMEOUT_MS, 'late' as const, { ref: false });
      if ((await Promise.race([exited, late])) === 'late') signal('SIGQUIT');
      await exited;
    },
  };
}

function urlOf(port: number, password: string): string {
  return `postgresql://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
}

function wrongPassword(directory: string): Error {
  return new CannotStartPostgres(`the database in ${directory} was made with another password than the one this start has`);
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
