import { execFile } from 'node:child_process';

const TIMEOUT_MS = 20_000;
const MAX_OUTPUT = 64 * 1024;

export interface ProgramResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a small system program to completion with an empty environment. */
export function runProgram([file = '', ...args]: readonly string[]): Promise<ProgramResult> {
  return new Promise((resolve) => {
    execFile(
      file,
      args,
      { env: {}, cwd: '/', timeout: TIMEOUT_MS, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT, encoding: 'utf8' },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ code, stdout, stderr: stderr === '' && error !== null ? error.message : stderr });
      },
    );
  });
}

export async function mustRun(command: readonly string[]): Promise<void> {
  const { code, stderr } = await runProgram(command);
  if (code !== 0) throw new Error(`${command[0]} failed: ${stderr.trim().slice(0, 300)}`);
}
