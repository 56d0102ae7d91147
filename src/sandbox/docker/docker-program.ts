import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { Exit, RunningCommand } from '../driver.ts';

const TIMEOUT_MS = 120_000;
/** What the client itself needs; a command's variables may not replace them. */
export const CLIENT_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent' };

export interface Docker {
  run(args: readonly string[], input?: Buffer, maxBytes?: number): Promise<{ code: number; stdout: string; stderr: string; bytes: Buffer }>;
  start(call: { args: readonly string[]; env: Readonly<Record<string, string>> }, stdin: Buffer | undefined, kill: () => void): RunningCommand;
}

export function dockerProgram(program: string): Docker {
  return {
    run: (args, input, maxBytes = 1024 * 1024) =>
      new Promise((resolve) => {
        const child = execFile(program, args, { env: CLIENT_ENVIRONMENT, cwd: '/', timeout: TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: maxBytes, encoding: 'buffer' }, (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, stdout: stdout.toString(), stderr: stderr.toString(), bytes: stdout }),
        );
        child.stdin?.on('error', () => {}).end(input);
      }),
    start({ args, env }, stdin, kill) {
      const child = spawn(program, args, { env: { ...env, ...CLIENT_ENVIRONMENT }, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'] });
      child.stdin.on('error', () => {}).end(stdin);
      const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
      const exited = (async (): Promise<Exit> => {
        const [[code, signal]] = await Promise.all([ended, ...[child.stdout, child.stderr].map((stream) => finished(stream, { writable: false }).catch(() => {}))]);
        return { code, signal };
      })();
      exited.catch(() => {});
      return { stdout: child.stdout, stderr: child.stderr, exited, kill };
    },
  };
}
