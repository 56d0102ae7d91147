// Runs a PostgreSQL cluster of our own in a directory. It refuses to run as root, so under root it is started in
// a user namespace that maps root to nobody: no account is made and the files stay ours. A server that is still
// running from before is adopted, but only after it has answered on its port.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresBinaries } from './binaries.ts';

export interface PostgresOptions {
  readonly binaries: PostgresBinaries;
  readonly directory: string;
  readonly port: number;
  readonly password: string;
  readonly logFile: string;
  readonly settings?: Record<string, string>;
}

export interface RunningPostgres {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly adopted: boolean;
  /** Resolves when the server is gone, for whatever reason. */
  readonly exited: Promise<void>;
  stop(): Promise<void>;
}

const USER = 'service';
const READY_TIMEOUT_MS = 60_000;
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
  await mkdir(dirname(options.logFile), { recursive: true });
  if (!existsSync(join(options.directory, 'PG_VERSION'))) await initialize(options);
  return (await adopt(options)) ?? (await start(options));
}

/** Builds the cluster beside its place and moves it there whole, so that an interrupted start leaves nothing half-made. */
async function initialize({ binaries, directory, password, logFile }: PostgresOptions): Promise<void> {
  const fresh = `${directory}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true, mode: 0o700 });
  const secret = join(await mkdtemp(join(tmpdir(), 'service-init-')), 'password');
  await writeFile(secret, password, { mode: 0o600 });
  const log = await open(logFile, 'a', 0o600);
  try {
    const args = ['-D', fresh, '-U', USER, `--pwfile=${secret}`, '-A', 'scram-sha-256', '-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
    const code = await exitOf(spawnUnprivileged(binaries.initdb, args, binaries, log.fd));
    if (code !== 0) throw new Error(`initdb ended with code ${code}; see ${logFile}`);
    await rename(fresh, directory);
  } finally {
    await log.close();
    await rm(dirname(secret), { recursive: true, force: true });
  }
}

async function adopt({ directory, password }: PostgresOptions): Promise<RunningPostgres | undefined> {
  const lines = await readFile(join(directory, 'postmaster.pid'), 'utf8').then((text) => text.split('\n'), () => []);
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!pid || !port || !isAlive(pid) || !(await answers(port))) return undefined;
  const exited = (async () => {
    while (isAlive(pid)) await sleep(500, undefined, { ref: false });
  })();
  return running(pid, port, password, true, exited);
}

async function start(options: PostgresOptions): Promise<RunningPostgres> {
  const { binaries, directory, port, password, logFile } = options;
  await chmod(directory, 0o700);
  const log = await open(logFile, 'a', 0o600);
  const settings = Object.entries({ ...SETTINGS, ...options.settings, port: String(port) }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawnUnprivileged(binaries.postgres, ['-D', directory, ...settings], binaries, log.fd);
  await log.close();
  let gone = false;
  const exited = exitOf(child).then(() => void (gone = true));
  for (const deadline = Date.now() + READY_TIMEOUT_MS; ; await sleep(20)) {
    if (gone) throw new Error(`PostgreSQL did not start; see ${logFile}`);
    if (await answers(port)) break;
    if (Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`PostgreSQL did not answer within ${READY_TIMEOUT_MS / 1000} s; see ${logFile}`);
    }
  }
  return running(child.pid ?? 0, port, password, false, exited);
}

function running(pid: number, port: number, password: string, adopted: boolean, exited: Promise<void>): RunningPostgres {
  return {
    url: `postgresql://${USER}:${password}@127.0.0.1:${port}/postgres`,
    port,
    pid,
    adopted,
    exited,
    async stop() {
      // SIGINT is PostgreSQL's fast shutdown: it ends sessions, writes a checkpoint and leaves.
      if (isAlive(pid)) process.kill(pid, 'SIGINT');
      const late = sleep(20_000, 'late' as const, { ref: false });
      if ((await Promise.race([exited, late])) === 'late' && isAlive(pid)) process.kill(pid, 'SIGQUIT');
      await exited;
    },
  };
}

function spawnUnprivileged(program: string, args: string[], binaries: PostgresBinaries, logFd: number): ChildProcess {
  const command = process.getuid?.() === 0 ? ['unshare', '-U', '--map-user=65534', '--map-group=65534', program, ...args] : [program, ...args];
  // Its own process group: a Ctrl-C in the terminal reaches the stack, which then stops its parts in order.
  return spawn(command[0] ?? program, command.slice(1), {
    stdio: ['ignore', logFd, logFd],
    detached: true,
    env: { PATH: '/usr/bin:/bin', LD_LIBRARY_PATH: binaries.libraries, DYLD_LIBRARY_PATH: binaries.libraries, LC_ALL: 'C', TZ: 'UTC' },
  });
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** PostgreSQL answers an SSLRequest with one byte, S or N, without authentication; nothing else does. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const finish = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(1_000, () => finish(false));
    socket.once('error', () => finish(false));
    socket.once('close', () => finish(false));
    socket.once('connect', () => socket.write(Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])));
    socket.once('data', (byte) => finish(byte[0] === 0x53 || byte[0] === 0x4e));
  });
}
