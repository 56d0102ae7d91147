// The built servicectl as a process: in a pipe, or on a pseudo-terminal where util-linux is there to make one.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { COMPILE_CACHE } from '../built-entry.ts';
import { watchProcess } from '../watch-process.ts';

export const SERVICECTL = join(import.meta.dirname, '..', '..', '..', 'dist', 'servicectl.js');

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly output: { stdout: string; stderr: string };
  readonly ended: Promise<Ran>;
  /** The first match in what was written so far, once there is one. Fails when the program ends without it. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  /** The same in what a person reads: without colours and moves of the cursor. */
  shown(pattern: RegExp): Promise<RegExpExecArray>;
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly cwd?: string;
}

export async function servicectl(args: readonly string[], { input = '', ...options }: RunOptions = {}): Promise<Ran> {
  const running = startServicectl(args, options);
  running.child.stdin.end(input);
  return running.ended;
}

/** Another installation of it, by its own first line. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { input = '', ...options }: RunOptions = {},
): Promise<Ran> {
  const running = watch(program, args, options);
  running.child.stdin.end(input);
  return running.ended;
}

export function startServicectl(args: readonly string[], options: RunOptions = {}): Running {
  return watch(process.execPath, [program(), ...args], options);
}

/** On a pseudo-terminal everything arrives on its one screen. */
export function startOnTerminal(args: readonly string[], options: RunOptions = {}): Running {
  const line = [process.execPath, program(), ...args]
    .map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`)
    .join(' ');
  // The shell gives its place to the program: on Ctrl-C it would end by itself, and its exit code would be the shell's.
  return watch('script', ['-qec', `exec ${line}`, '/dev/null'], {
    ...options,
    environment: { TERM: 'xterm', SHELL: '/bin/sh', ...options.environment },
  });
}

function program(): string {
  if (!existsSync(SERVICECTL)) throw new Error('dist/ is not built: run npm run build first');
  return SERVICECTL;
}

function watch(command: string, args: readonly string[], { environment = {}, cwd }: RunOptions): Running {
  const { child, output, ended, find } = watchProcess(
    spawn(command, args, { cwd, env: { PATH: process.env['PATH'] ?? '', ...COMPILE_CACHE, ...environment } }),
  );
  const written = (): string => output.stdout + output.stderr;
  return {
    child,
    output,
    ended: ended.then(({ code }) => ({ code, ...output })),
    said: (pattern) => find(() => pattern.exec(written()) ?? undefined, `writing ${String(pattern)}`),
    shown: (pattern) =>
      find(() => pattern.exec(stripVTControlCharacters(written())) ?? undefined, `showing ${String(pattern)}`),
  };
}
