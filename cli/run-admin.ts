// Commands that need the server's own code and environment run in a program of their own beside this one. It gets one
// request, answers with one JSON value, and is given no terminal to paint on: what people see is made here.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Cli } from './define-command.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { Failure } from './failure.ts';

export interface AdminAnswer {
  readonly ok: boolean;
  readonly result?: unknown;
  readonly error?: string;
  readonly next?: string;
  readonly exit?: ExitCode;
}

/** Beside the bundle, or in the sources. */
const PROGRAMS = [join(import.meta.dirname, 'servicectl-admin.js'), join(import.meta.dirname, '..', 'src', 'entry', 'servicectl-admin.ts')];

export async function runAdmin<T>({ host }: Cli, command: string, request: Readonly<Record<string, unknown>> = {}): Promise<T> {
  const program = PROGRAMS.find((path) => existsSync(path));
  if (program === undefined) throw new Failure('the operator commands are not installed here', { next: 'Run this on the machine of the service, from its installation (npm run build makes it).' });
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, command, JSON.stringify(request)], { stdio: ['ignore', 'pipe', 'inherit'], env: host.environment as NodeJS.ProcessEnv });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  const answer = parse(text);
  if (answer.ok) return answer.result as T;
  throw new Failure(answer.error ?? 'the command ended without an answer', { exit: answer.exit ?? EXIT.failed, next: answer.next, ...(answer.result === undefined ? {} : { details: answer.result }) });
}

function parse(text: string): AdminAnswer {
  try {
    return JSON.parse(text) as AdminAnswer;
  } catch {
    return { ok: false };
  }
}
