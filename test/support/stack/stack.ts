// Starts a stack as a user does, as a process, in a temporary data directory on ports that are free. By default the
// real one from dist/ with an embedded PostgreSQL of its own; `npm test` builds dist/ first.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProcess } from '../../../src/process/find-process.ts';
import type { StackState } from '../../../src/stack/stack-file.ts';
import { COMPILE_CACHE } from '../built-entry.ts';
import { freePorts } from '../free-port.ts';
import { poll } from '../poll.ts';
import { type Exit, watchProcess } from '../watch-process.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const REAL = join(ROOT, 'dist', 'stack.js');
const PORTS_OF_A_STACK = 10;

export interface StackSettings {
  readonly program?: string;
  /** Kept when given; otherwise a temporary one that goes with the stack. */
  readonly dataDirectory?: string;
  readonly port?: number;
  readonly args?: readonly string[];
  /** Put in front of the program, which it becomes. */
  readonly command?: readonly string[];
  /** Added to an environment that holds nothing of the service. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A stack that was started, ready or not. */
export interface StackProcess {
  readonly child: ChildProcess;
  readonly port: number;
  readonly dataDirectory: string;
  readonly output: { stdout: string; stderr: string };
  readonly ended: Promise<Exit>;
  /** Resolves when the text has been written to standard output or error. Rejects when the stack ends without it. */
  said(text: string | RegExp): Promise<void>;
  state(): Promise<StackState>;
  /** Stops it in the way a user does, or cleans up after one that was killed. */
  stop(): Promise<Exit>;
}

export interface TestStack extends StackProcess {
  readonly url: string;
  readonly databaseUrl: string;
  readonly schema: string;
  /** The page of the local mailbox; empty if mail goes elsewhere. */
  readonly mailboxUrl: string;
}

/** A stack that has said that it is ready. */
export async function startStack(settings: StackSettings = {}): Promise<TestStack> {
  const stack = await spawnStack(settings);
  await stack.said(/^ready /m).catch(async (error: unknown) => {
    await stack.stop();
    throw error;
  });
  const { url, databaseUrl, schema, parts } = await stack.state();
  return { ...stack, url, databaseUrl, schema, mailboxUrl: parts['local-mailbox']?.url ?? '' };
}

export async function spawnStack(settings: StackSettings = {}): Promise<StackProcess> {
  const program = settings.program ?? REAL;
  if (!existsSync(program)) throw new Error('dist/ is not built: run npm run build first');
  const dataDirectory = settings.dataDirectory ?? (await mkdtemp(join(tmpdir(), 'service-stack-')));
  const port = settings.port ?? (await freePorts(PORTS_OF_A_STACK));
  const [file = process.execPath, ...before] = [...(settings.command ?? []), process.execPath];
  const child = spawn(
    file,
    [
      ...before,
      '--disable-warning=ExperimentalWarning',
      program,
      '--port',
      String(port),
      '--data-dir',
      dataDirectory,
      ...(settings.args ?? []),
    ],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        ...COMPILE_CACHE,
        SERVICE_LOCAL_INTEGRATIONS_PORT: String(port + 4),
        SERVICE_LOCAL_INTEGRATIONS_CONNECT_PORT: String(port + 5),
        ...settings.environment,
      },
    },
  );
  const { output, ended, find } = watchProcess(child);

  return {
    child,
    port,
    dataDirectory,
    output,
    ended,
    async said(text) {
      const has = (all: string): boolean => (typeof text === 'string' ? all.includes(text) : text.test(all));
      await find(() => has(output.stdout + output.stderr) || undefined, `writing ${String(text)}`);
    },
    state: async () => JSON.parse(await readFile(join(dataDirectory, 'stack.json'), 'utf8')) as StackState,
    async stop() {
      child.kill('SIGTERM');
      const result = await ended;
      await stopAbandonedPostgres(dataDirectory);
      if (settings.dataDirectory === undefined) await rm(dataDirectory, { recursive: true, force: true });
      return result;
    },
  };
}

/** A stack that was killed leaves its PostgreSQL for the next start; without one, the test ends it. */
export async function stopAbandonedPostgres(dataDirectory: string): Promise<void> {
  const [first = ''] = await readFile(join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n'),
    () => [],
  );
  const pid = Number(first);
  if (findProcess(pid)?.name !== 'postgres') return;
  process.kill(pid, 'SIGINT');
  await poll(() => findProcess(pid) === undefined);
}
