// The engine's command line. Its client gets a reduced environment: from ours only what locates a rootless engine, and
// nothing from a run, because the client and the dynamic loader would obey it.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { Exit, RunningCommand } from '../driver.ts';

const TIMEOUT_MS = 120_000;
const PATH = '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin';
const CLIENT_VARIABLES = [
  'HOME',
  'XDG_RUNTIME_DIR',
  'DOCKER_HOST',
  'DOCKER_CONFIG',
  'CONTAINER_HOST',
  'CONTAINERS_CONF',
  'CONTAINERS_STORAGE_CONF',
  'CONTAINERS_REGISTRIES_CONF',
];

/**
 * The variables by which a client finds a rootless engine, an engine at another address, or its own settings and
 * images.
 */
export function pickClientVariables(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    CLIENT_VARIABLES.flatMap((name): [string, string][] => {
      const value = environment[name];
      return value === undefined || value.trim() === '' ? [] : [[name, value]];
    }),
  );
}

interface RunOptions {
  readonly input?: Buffer | undefined;
  readonly maxBytes?: number | undefined;
  readonly timeoutMs?: number;
}

interface EngineCall {
  readonly args: readonly string[];
  /** Added to the client's own, which they cannot replace. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: Buffer | Readable | undefined;
}

export interface StartedCall extends Omit<RunningCommand, 'kill'> {
  /** Kills the client, not what it has started in the container. */
  leave(): void;
}

export interface Docker {
  run(
    args: readonly string[],
    options?: RunOptions,
  ): Promise<{ code: number; stdout: string; stderr: string; bytes: Buffer }>;
  start(call: EngineCall): StartedCall;
}

export function dockerProgram(program: string, variables: Readonly<Record<string, string>>): Docker {
  const environment = { PATH, ...variables };
  return {
    run: (args, { input, maxBytes = 1024 * 1024, timeoutMs = TIMEOUT_MS } = {}) =>
      new Promise((resolve) => {
        const child = execFile(
          program,
          args,
          {
            env: environment,
            cwd: '/',
            timeout: timeoutMs,
            killSignal: 'SIGKILL',
            maxBuffer: maxBytes,
            encoding: 'buffer',
          },
          (error, stdout, stderr) =>
            resolve({
              code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1,
              stdout: stdout.toString(),
              stderr: stderr.toString(),
              bytes: stdout,
            }),
        );
        child.stdin?.on('error', () => {}).end(input);
      }),
    start({ args, env, stdin }) {
      const child = spawn(program, args, {
        env: { ...env, ...environment },
        cwd: '/',
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      child.stdin.on('error', () => {});
      if (stdin instanceof Readable) pipeline(stdin, child.stdin).catch(() => {});
      else child.stdin.end(stdin);
      const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
      const exited = (async (): Promise<Exit> => {
        const [[code, signal]] = await Promise.all([
          ended,
          ...[child.stdout, child.stderr].map((stream) => finished(stream, { writable: false }).catch(() => {})),
        ]);
        return { code, signal };
      })();
      exited.catch(() => {});
      return { stdout: child.stdout, stderr: child.stderr, exited, leave: () => void child.kill('SIGKILL') };
    },
  };
}

/** The line of a client's error output that says what is wrong; warnings precede it, hints follow it. */
export function findError(stderr: string): string {
  const lines = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return (lines.find((line) => /error|cannot|denied/i.test(line)) ?? lines[0] ?? 'it gives no reason').slice(0, 300);
}
