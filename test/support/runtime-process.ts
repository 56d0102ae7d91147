// A real process of the runtime, or of another part, with exactly the environment it is given.
import { type ChildProcess, spawn } from 'node:child_process';
import { builtEntry } from './built-entry.ts';

export interface RuntimeProcess {
  readonly child: ChildProcess;
  readonly lines: Record<string, unknown>[];
  /** Standard error, whole. */
  stderr(): string;
  /** Resolves with the first log line, past or to come, whose message is this. Rejects when the process ends without. */
  said(message: string): Promise<Record<string, unknown>>;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export function startRuntime(environment: Record<string, string>, entry = 'runtime'): RuntimeProcess {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', builtEntry(entry)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: '/usr/bin:/bin', ...environment },
  });
  const lines: Record<string, unknown>[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  let stderr = '';
  let ended = false;
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const complete = (rest + chunk).split('\n');
    rest = complete.pop() ?? '';
    for (const line of complete) lines.push(JSON.parse(line) as Record<string, unknown>);
    for (const look of waiting) look();
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => {
      ended = true;
      resolve({ code, signal });
      for (const look of waiting) look();
    });
  });
  return {
    child,
    lines,
    stderr: () => stderr,
    exited,
    said: (message) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const line = lines.find(({ msg }) => msg === message);
          if (line) resolve(line);
          else if (ended)
            reject(new Error(`ended without saying "${message}": ${JSON.stringify(lines.at(-1) ?? stderr)}`));
          else return;
          waiting.delete(look);
        };
        waiting.add(look);
        look();
      }),
    stop(signal = 'SIGTERM') {
      if (!ended) child.kill(signal);
      return exited;
    },
  };
}
