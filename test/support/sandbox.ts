// A real sandbox controller, from its sources, with exactly the environment it is given; and the reason why its tests
// cannot run here, where there is one.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandboxClient, type SandboxClient } from '../../src/sandbox/client.ts';
import type { CreateInput, ExecEvent, ExecInput } from '../../src/sandbox/protocol.ts';

const ENTRY = join(import.meta.dirname, '..', '..', 'src', 'entry', 'sandbox.ts');

/** Why suites that need a real sandbox are skipped on this machine; undefined where they run. */
export const sandboxSkipReason: string | undefined =
  process.platform !== 'linux' ? 'they need Linux' : process.getuid?.() !== 0 ? 'they need root' : !existsSync('/usr/bin/bwrap') ? 'bubblewrap is not installed' : !existsSync('/usr/bin/perl') ? 'perl is not installed' : undefined;
if (sandboxSkipReason !== undefined) process.stderr.write(`skipping sandbox tests: ${sandboxSkipReason}\n`);

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

export async function startController({ environment = {}, directory, before = '', awaitReady = true, dropTo }: ControllerOptions = {}): Promise<ControllerProcess> {
  const at = directory ?? (await mkdtemp(join(tmpdir(), 'service-sandbox-test-')));
  const url = environment.SERVICE_SANDBOX_URL ?? `unix:${at}/sandbox.sock`;
  const drop = dropTo === undefined ? [] : ['/usr/bin/setpriv', '--reuid', String(dropTo), '--regid', String(dropTo), '--clear-groups'];
  const child = spawn('/bin/bash', ['--norc', '-c', `${before}\nexec "$@"`, 'start', ...drop, process.execPath, '--disable-warning=ExperimentalWarning', ENTRY], {
    cwd: at,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: '/usr/bin:/bin', SERVICE_DATA_DIR: at, SERVICE_LOG_LEVEL: 'silent', ...environment },
  });
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
    child, directory: at, url, exited, stop,
    client: createSandboxClient({ url, token: environment.SERVICE_SANDBOX_TOKEN }),
    stderr: () => stderr,
    async remove() {
      await stop();
      await rm(at, { recursive: true, force: true });
    },
  };
  if (!awaitReady) return controller;
  while (!(await controller.client.health().then(() => true, () => false))) {
    if (ended) throw new Error(`the controller ended: ${stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return controller;
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
  for await (const event of client.exec(id, typeof input === 'string' ? { argv: ['bash', '-c', input] } : input)) events.push(event);
  const exit = events.at(-1);
  if (exit?.t !== 'exit') throw new Error('the command ended without an exit');
  const text = (fd: 1 | 2): string => events.flatMap((event) => (event.t === 'out' && event.fd === fd ? [event.d] : [])).join('');
  return { stdout: text(1), stderr: text(2), exit, events };
}

/** Makes a sandbox, uses it, and removes it. */
export async function withSandbox<T>(client: SandboxClient, input: CreateInput, use: (id: string) => Promise<T>): Promise<T> {
  const { id } = await client.create(input);
  try {
    return await use(id);
  } finally {
    await client.destroy(id).catch(() => {});
  }
}

/** The same words without a sandbox: the positive control. */
export function runOutside(script: string, environment: Record<string, string> = {}): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile('/bin/bash', ['--norc', '-c', script], { env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', ...environment }, cwd: tmpdir(), timeout: 30_000, maxBuffer: 16 * 1024 * 1024 }, (_error, stdout, stderr) => resolve({ stdout, stderr }));
  });
}
