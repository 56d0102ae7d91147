// A real process of the runtime, or of another part, with the environment it is given and nothing of ours.
import { type ChildProcess, spawn } from 'node:child_process';
import { builtEntry, COMPILE_CACHE } from '../built-entry.ts';
import { type Exit, watchProcess } from '../watch-process.ts';

export interface RuntimeProcess {
  readonly child: ChildProcess;
  /** The log so far. */
  readonly lines: Record<string, unknown>[];
  /** Standard error, whole. */
  stderr(): string;
  /** Resolves with the first log line, past or to come, whose message is this. Rejects when the process ends without. */
  said(message: string): Promise<Record<string, unknown>>;
  readonly exited: Promise<Exit>;
  stop(signal?: NodeJS.Signals): Promise<Exit>;
}

/** @param build the directory of a build other than the one that the tests share. */
export function startRuntime(environment: Record<string, string>, entry = 'runtime', build?: string): RuntimeProcess {
  const { child, output, ended, find, stop } = watchProcess(
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', builtEntry(entry, build)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: '/usr/bin:/bin', ...COMPILE_CACHE, ...environment },
    }),
  );
  const readLog = (): Record<string, unknown>[] =>
    output.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    child,
    get lines() {
      return readLog();
    },
    stderr: () => output.stderr,
    exited: ended,
    said: (message) => find(() => readLog().find(({ msg }) => msg === message), `saying "${message}"`),
    stop,
  };
}
