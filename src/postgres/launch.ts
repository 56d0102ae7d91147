// Runs a PostgreSQL cluster in a directory. A server that is already running there is adopted, once we could log in and
// it has reported this directory as its own.
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSameProcess } from '../process/find-process.ts';
import { ADMIN_USER, APPLICATION_USER, urlOf } from './accounts.ts';
import type { PostgresBinaries } from './binaries.ts';
import { CannotStartPostgres } from './cannot-start.ts';
import { findLastLogError } from './last-log-error.ts';
import { type Accounts, type ClusterForm, prepareRoles, tryCluster } from './prepare-roles.ts';
import { chooseRunAs, prepareDirectory, type RunAs, shareFile, spawnAs } from './run-as.ts';
import { disownPidFile, type PidFile, readPidFile } from './stale-pid-file.ts';

export interface PostgresOptions {
  readonly binaries: PostgresBinaries;
  readonly directory: string;
  readonly port: number;
  /** Of the role that the service uses. */
  readonly password: string;
  /** Of the cluster's superuser. */
  readonly adminPassword: string;
  readonly logFile: string;
  readonly settings?: Record<string, string>;
  /** How to run when the caller is root; by default, the first way that works on this machine. */
  readonly runAs?: RunAs;
  readonly signal?: AbortSignal;
}

export interface RunningPostgres {
  /** For the service: its role owns its database and has no other rights. */
  readonly url: string;
  /** The superuser's. */
  readonly adminUrl: string;
  readonly port: number;
  readonly pid: number;
  readonly adopted: boolean;
  /** Resolves when the server is gone, for any reason. */
  readonly exited: Promise<void>;
  stop(): Promise<void>;
  /** At once and without a checkpoint; the next start recovers. */
  kill(): void;
}

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
  const left = await readPidFile(options.directory);
  const { form, ...server } =
    (left && (await adopt(options, left))) ?? (await startPatiently(options, way, left !== undefined));
  try {
    await prepareRoles(server.port, accountsOf(options), form);
  } catch (error) {
    if (!server.adopted) await server.stop();
    throw error;
  }
  return server;
}

/**
 * Creates the cluster in a temporary directory and renames it, so that an interrupted start leaves nothing half-made.
 */
async function initialize({ binaries, directory, adminPassword, logFile }: PostgresOptions, way: RunAs): Promise<void> {
  const fresh = `${directory}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true, mode: 0o700 });
  await prepareDirectory(way, fresh, binaries);
  const secret = join(await mkdtemp(join(tmpdir(), 'service-init-')), 'password');
  await writeFile(secret, adminPassword, { mode: 0o600 });
  await shareFile(way, secret);
  const log = await open(logFile, 'a', 0o600);
  try {
    const args = [
      '-D',
      fresh,
      '-U',
      ADMIN_USER,
      `--pwfile=${secret}`,
      '-A',
      'scram-sha-256',
      '-E',
      'UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
    ];
    const { size } = await log.stat();
    const code = await exitOf(spawnAs(way, [binaries.initdb, ...args], { binaries, logFd: log.fd }));
    if (code !== 0)
      throw new CannotStartPostgres(
        `the database could not be created (${(await findLastLogError(logFile, size)) ?? `initdb ended with code ${code}`}); see ${logFile}`,
      );
    await rename(fresh, directory);
  } finally {
    await rm(fresh, { recursive: true, force: true });
    await log.close();
    await rm(dirname(secret), { recursive: true, force: true });
  }
}

async function adopt(options: PostgresOptions, file: PidFile): Promise<Opened | undefined> {
  const { directory, signal } = options;
  const { pid, port, server } = file;
  if (server === undefined || !port) {
    await disownPidFile(directory, file);
    return undefined;
  }
  const alive = (): boolean => isSameProcess(pid, server.identity);
  // It may still be recovering, or already shutting down: wait until it is one or the other.
  for (
    const deadline = Date.now() + ADOPT_TIMEOUT_MS;
    alive() && Date.now() < deadline;
    await sleep(100, undefined, signal && { signal })
  ) {
    const answer = await tryCluster(port, accountsOf(options));
    if (answer.state === 'refused') throw wrongPassword(directory);
    if (answer.state !== 'open') continue;
    if (answer.directory !== (await realpath(directory)) && answer.directory !== directory) return undefined;
    const exited = (async () => {
      while (alive()) await sleep(500, undefined, { ref: false });
    })();
    return { ...running({ ...options, pid, port, adopted: true, exited, alive }), form: answer.form };
  }
  return undefined;
}

/** A killed server may leave child processes that need a moment to notice; until then none can start. */
async function startPatiently(options: PostgresOptions, way: RunAs, wasKilled: boolean): Promise<Opened> {
  for (const deadline = Date.now() + (wasKilled ? SETTLE_MS : 0); ; await sleep(100)) {
    try {
      return await start(options, way);
    } catch (error) {
      if (!(error instanceof EndedEarly) || Date.now() >= deadline || options.signal?.aborted) throw error;
    }
  }
}

/** Its roles may not have been created yet. */
type Opened = RunningPostgres & { readonly form: ClusterForm };

class EndedEarly extends Error {}

async function start(options: PostgresOptions, way: RunAs): Promise<Opened> {
  const { binaries, directory, port, logFile, signal } = options;
  await prepareDirectory(way, directory, binaries);
  const log = await open(logFile, 'a', 0o600);
  const { size } = await log.stat();
  const settings = Object.entries({ ...SETTINGS, ...options.settings, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const child = spawnAs(way, [binaries.postgres, '-D', directory, ...settings], { binaries, logFd: log.fd });
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
    if (gone)
      throw new EndedEarly(
        `PostgreSQL did not start${await findLastLogError(logFile, size).then((text) => (text === undefined ? '' : `, ${text}`))}; see ${logFile}`,
      );
    const cluster = await tryCluster(port, accountsOf(options));
    if (cluster.state === 'open')
      return {
        ...running({ ...options, pid: child.pid ?? 0, adopted: false, exited, alive: () => !gone }),
        form: cluster.form,
      };
    if (cluster.state === 'refused') await giveUp(wrongPassword(directory));
    if (signal?.aborted) await giveUp(new Error('stopped while PostgreSQL was starting'));
    if (Date.now() > deadline)
      await giveUp(new Error(`PostgreSQL did not answer within ${READY_TIMEOUT_MS / 1000} s; see ${logFile}`));
  }
}

function running(
  server: Pick<PostgresOptions, 'port' | 'password' | 'adminPassword'> & {
    pid: number;
    adopted: boolean;
    exited: Promise<void>;
    alive: () => boolean;
  },
): RunningPostgres {
  const { pid, port, adopted, exited, alive } = server;
  const signal = (name: NodeJS.Signals): void => {
    if (alive()) process.kill(pid, name);
  };
  return {
    url: urlOf(port, accountsOf(server).application),
    adminUrl: urlOf(port, accountsOf(server).admin),
    port,
    pid,
    adopted,
    exited,
    kill: () => signal('SIGQUIT'),
    async stop() {
      // SIGINT is PostgreSQL's fast shutdown: it ends sessions, writes a checkpoint and exits.
      signal('SIGINT');
      const late = sleep(STOP_TIMEOUT_MS, 'late' as const, { ref: false });
      if ((await Promise.race([exited, late])) === 'late') signal('SIGQUIT');
      await exited;
    },
  };
}

function accountsOf({ password, adminPassword }: Pick<PostgresOptions, 'password' | 'adminPassword'>): Accounts {
  return { application: { user: APPLICATION_USER, password }, admin: { user: ADMIN_USER, password: adminPassword } };
}

function wrongPassword(directory: string): Error {
  return new CannotStartPostgres(
    `the database in ${directory} was created with a different password than this start uses`,
  );
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
