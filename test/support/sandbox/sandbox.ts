// A real sandbox controller, as it is shipped, with exactly the environment it is given; and the reason why its tests
// cannot run here, where there is one.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandboxClient, type SandboxClient } from '../../../src/sandbox/client.ts';
import type { CreateInput, ExecEvent, ExecInput } from '../../../src/sandbox/protocol.ts';
import { descendants, readProcesses } from '../../../src/sandbox/watchdog/read-processes.ts';
import { poll, pollUntil } from '../poll.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** The machine's, or the one that npm test has unpacked. */
export const BWRAP = existsSync('/usr/bin/bwrap')
  ? '/usr/bin/bwrap'
  : join(ROOT, '.cache', 'debian', 'root', 'usr', 'bin', 'bwrap');
export const isRoot = process.getuid?.() === 0;
/** Stands for an ordinary user where the tests themselves run as root. */
const NOBODY = 65534;

/** How a controller is run: by root, with cgroups and a user for each run, or by anyone else, with what there is without. */
export interface Way {
  readonly name: 'as root' | 'without root';
  /** Why it cannot be tried here. */
  readonly leftOut: string | undefined;
  readonly options: Pick<ControllerOptions, 'dropTo'>;
}

/** Why suites that need a real sandbox are left out on this machine; undefined where they run. */
export const sandboxSkipReason: string | undefined = findSkipReason();

export const ROOTFUL: Way = {
  name: 'as root',
  leftOut: sandboxSkipReason ?? (isRoot ? undefined : 'needs root'),
  options: {},
};
export const ROOTLESS: Way = {
  name: 'without root',
  leftOut: sandboxSkipReason,
  options: isRoot ? { dropTo: NOBODY } : {},
};
export const WAYS: readonly Way[] = [ROOTFUL, ROOTLESS];

function findSkipReason(): string | undefined {
  if (process.platform !== 'linux') return 'needs Linux';
  if (!existsSync(BWRAP)) return 'bubblewrap is not installed';
  if (!existsSync('/usr/bin/perl')) return 'perl is not installed';
  return isRoot || spawnSync('/usr/bin/unshare', ['--user', '--map-root-user', '/bin/true']).status === 0
    ? undefined
    : 'the kernel does not allow user namespaces';
}

export interface ControllerProcess {
  readonly child: ChildProcess;
  readonly directory: string;
  readonly url: string;
  readonly client: SandboxClient;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  stderr(): string;
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Stops it if it runs, and removes its directory. */
  remove(): Promise<void>;
}

export interface ControllerOptions {
  readonly environment?: Record<string, string>;
  readonly directory?: string;
  /** Bash that runs before the controller, in the same process. */
  readonly before?: string;
  readonly awaitReady?: boolean;
  /** User to run it as, instead of root. */
  readonly dropTo?: number;
}

/** Shows the checkout at a place that every user can reach, wherever it lies, then becomes that user. */
const DROP = 'mount --bind "$1" /mnt && shift && exec "$@"';

export async function startController({
  environment = {},
  directory,
  before = '',
  awaitReady = true,
  dropTo,
}: ControllerOptions = {}): Promise<ControllerProcess> {
  const at = directory ?? (await mkdtemp(join(tmpdir(), 'service-sandbox-test-')));
  if (dropTo !== undefined) await chown(at, dropTo, dropTo);
  const url = environment.SERVICE_SANDBOX_URL ?? `unix:${at}/sandbox.sock`;
  const root = dropTo === undefined ? ROOT : '/mnt';
  const drop =
    dropTo === undefined
      ? []
      : [
          '/usr/bin/unshare',
          '--mount',
          '--propagation',
          'slave',
          '/bin/bash',
          '-c',
          DROP,
          'drop',
          ROOT,
          '/usr/bin/setpriv',
          '--reuid',
          String(dropTo),
          '--regid',
          String(dropTo),
          '--clear-groups',
        ];
  const child = spawn(
    '/bin/bash',
    [
      '--norc',
      '-c',
      `${before}\nexec "$@"`,
      'start',
      ...drop,
      process.execPath.replace(ROOT, root),
      '--disable-warning=ExperimentalWarning',
      join(root, 'dist', 'sandbox.js'),
    ],
    {
      cwd: at,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: '/usr/bin:/bin',
        SERVICE_DATA_DIR: at,
        SERVICE_LOG_LEVEL: 'silent',
        SERVICE_SANDBOX_BWRAP: BWRAP,
        SERVICE_SANDBOX_ALLOW_WEAK: isRoot && dropTo === undefined ? '0' : '1',
        ...environment,
      },
    },
  );
  let stderr = '';
  let ended = false;
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => {
      ended = true;
      resolve({ code, signal });
    });
  });
  const stop: ControllerProcess['stop'] = (signal = 'SIGTERM') => {
    if (!ended) child.kill(signal);
    return exited;
  };
  const controller: ControllerProcess = {
    child,
    directory: at,
    url,
    exited,
    stop,
    client: createSandboxClient({ url, token: environment.SERVICE_SANDBOX_TOKEN }),
    stderr: () => stderr,
    async remove() {
      await stop();
      await rm(at, { recursive: true, force: true });
    },
  };
  if (!awaitReady) return controller;
  await poll(() => {
    if (ended) throw new Error(`the controller ended: ${stderr}`);
    return controller.client.health().then(
      () => true,
      () => false,
    );
  });
  return controller;
}

/** Where a controller keeps its sandboxes. */
export function sandboxDirectory(dataDirectory: string, way: Way): string {
  const instance = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 12);
  return way === ROOTFUL
    ? `/run/service-sandbox-${instance}`
    : join(tmpdir(), `service-sandbox-${way.options.dropTo ?? process.getuid?.()}-${instance}`);
}

/** Numbers of the processes in the sandboxes of a controller: what it has started, but for the one that holds its mounts. */
export function processesOf({ child }: Pick<ControllerProcess, 'child'>): number[] {
  const processes = readProcesses();
  const started = processes.filter(
    ({ pid, parent }) => parent === child.pid && !commandLine(pid).includes('echo held'),
  );
  return descendants(
    processes,
    started.map(({ pid }) => pid),
  ).map(({ pid }) => pid);
}

export async function untilProcesses(controller: Pick<ControllerProcess, 'child'>, count: number): Promise<number[]> {
  return pollUntil(
    () => processesOf(controller),
    ({ length }) => length >= count,
  );
}

export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: Extract<ExecEvent, { t: 'exit' }>;
  readonly events: readonly ExecEvent[];
}

/** Runs a command to its end. */
export async function runIn(client: SandboxClient, id: string, input: ExecInput | string): Promise<Outcome> {
  const events: ExecEvent[] = [];
  for await (const event of client.exec(id, typeof input === 'string' ? { argv: ['bash', '-c', input] } : input))
    events.push(event);
  const exit = events.at(-1);
  if (exit?.t !== 'exit') throw new Error('the command ended without an exit');
  const text = (fd: 1 | 2): string =>
    events.flatMap((event) => (event.t === 'out' && event.fd === fd ? [event.d] : [])).join('');
  return { stdout: text(1), stderr: text(2), exit, events };
}

/** Makes a sandbox, uses it, and removes it. */
export async function withSandbox<T>(
  client: SandboxClient,
  input: CreateInput,
  use: (id: string) => Promise<T>,
): Promise<T> {
  const { id } = await client.create(input);
  try {
    return await use(id);
  } finally {
    await client.destroy(id).catch(() => {});
  }
}

/** The same words without a sandbox: the positive control. */
export function runOutside(
  script: string,
  environment: Record<string, string> = {},
): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      '/bin/bash',
      ['--norc', '-c', script],
      {
        env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', ...environment },
        cwd: tmpdir(),
        timeout: 30_000,
        maxBuffer: 16 * 1024 * 1024,
      },
      (_error, stdout, stderr) => resolve({ stdout, stderr }),
    );
  });
}
