// A process that a test has started: what it has written so far, and promises for what it writes next and for its end.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { COMPILE_CACHE } from './built-entry.ts';

const ROOT = join(import.meta.dirname, '..', '..');

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface WatchedProcess<Child extends ChildProcess = ChildProcess> {
  readonly child: Child;
  readonly output: { stdout: string; stderr: string };
  /** Complete lines of standard output and standard error, in the order of their arrival. */
  readonly lines: readonly string[];
  readonly ended: Promise<Exit>;
  /** Looks now and after every output until something is found. Rejects when the process ends without it. */
  find<T>(look: () => T | undefined, what: string): Promise<T>;
  /** Does nothing to a process that has ended. */
  stop(signal?: NodeJS.Signals): Promise<Exit>;
}

export function watchProcess<Child extends ChildProcess>(child: Child): WatchedProcess<Child> {
  const output = { stdout: '', stderr: '' };
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const look of waiting) look();
  };
  for (const name of ['stdout', 'stderr'] as const) {
    let rest = '';
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      output[name] += chunk;
      const complete = (rest + chunk).split('\n');
      rest = complete.pop() ?? '';
      lines.push(...complete);
      wake();
    });
  }
  // A process may end without reading what it is given; its end is what the test looks at.
  child.stdin?.on('error', () => {});
  let exit: Exit | undefined;
  const ended = new Promise<Exit>((resolve) => {
    child.once('close', (code, signal) => {
      exit = { code, signal };
      resolve(exit);
      wake();
    });
  });
  return {
    child,
    output,
    lines,
    ended,
    find: (look, what) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const found = look();
          if (found === undefined && exit === undefined) return;
          waiting.delete(check);
          if (found !== undefined) resolve(found);
          else
            reject(
              new Error(
                `${child.spawnfile} ended with ${exit?.code ?? exit?.signal} before ${what}:\n${lines.slice(-10).join('\n')}`,
              ),
            );
        };
        waiting.add(check);
        check();
      }),
    stop(signal = 'SIGTERM') {
      if (exit === undefined) child.kill(signal);
      return ended;
    },
  };
}

/** A program of the service that logs one line per event. */
export interface Program {
  readonly child: ChildProcess;
  readonly lines: readonly string[];
  /** The first line, past or to come, that contains the text. */
  said(text: string): Promise<string>;
  /** The first line from now on that contains the text. */
  says(text: string): Promise<string>;
  /** Resolves with the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Runs a command in the repository's root with exactly this environment, besides a PATH of the system's programs. */
export function startProgram([command = '', ...args]: readonly string[], environment: Record<string, string>): Program {
  const { child, lines, find, stop } = watchProcess(
    spawn(command, args, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: '/usr/bin:/bin:/usr/sbin', ...COMPILE_CACHE, ...environment },
    }),
  );
  const lineFrom = (from: number, text: string): Promise<string> =>
    find(() => lines.slice(from).find((line) => line.includes(text)), `saying "${text}"`);
  return {
    child,
    lines,
    said: (text) => lineFrom(0, text),
    says: (text) => lineFrom(lines.length, text),
    stop: async (signal) => (await stop(signal)).code,
  };
}
