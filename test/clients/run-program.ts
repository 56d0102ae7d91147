// Runs a client in a process of its own, with nothing of this machine's: its home is a temporary directory, and only the
// variables that it is given reach it.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

export interface Place {
  /** A temporary directory: the client's home. */
  readonly home: string;
  /** A directory under it: the project that the client works in. */
  readonly project: string;
  /** Found before anything else. */
  readonly path: readonly string[];
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly ended: Promise<Ended>;
  /** Fulfilled with true when the text has been written to standard output, with false when it never will be. */
  said(text: string): Promise<boolean>;
}

/** Non-interactive, without telemetry or updates. */
const QUIET = {
  CI: '1',
  NO_COLOR: '1',
  TERM: 'dumb',
  DO_NOT_TRACK: '1',
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  MASTRA_TELEMETRY_DISABLED: '1',
  LANGCHAIN_TRACING_V2: 'false',
  OPENAI_AGENTS_DISABLE_TRACING: '1',
};

export function runProgram(
  program: string,
  args: readonly string[],
  place: Place,
  environment: Readonly<Record<string, string>> = {},
): Running {
  const child = spawn(program, args, {
    cwd: place.project,
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that what a shell started goes with it.
    detached: true,
    env: {
      ...QUIET,
      PATH: [...place.path, process.env['PATH'] ?? ''].join(':'),
      HOME: place.home,
      XDG_CONFIG_HOME: `${place.home}/.config`,
      XDG_DATA_HOME: `${place.home}/.local/share`,
      XDG_CACHE_HOME: `${place.home}/.cache`,
      XDG_STATE_HOME: `${place.home}/.local/state`,
      ...environment,
    },
  });
  const output = { stdout: '', stderr: '' };
  const checks = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      for (const check of checks) check();
    });
  }
  child.stdin.on('error', () => undefined);
  const ended = new Promise<Ended>((resolve) => {
    child.once('error', (error) =>
      resolve({ code: null, stdout: output.stdout, stderr: `${output.stderr}${error.message}` }),
    );
    child.once('close', (code) => resolve({ code, ...output }));
  });
  return {
    child,
    ended,
    said: (text) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (output.stdout.includes(text)) resolve(true);
        };
        checks.add(check);
        check();
        void ended.then(() => resolve(output.stdout.includes(text)));
      }),
  };
}

/** With everything that it started. */
export function endProgram({ child }: Running, signal: NodeJS.Signals = 'SIGTERM'): void {
  if (child.pid === undefined || child.exitCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    child.kill(signal);
  }
}
