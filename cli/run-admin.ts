// Commands that need the server's own code and environment run in a program of their own beside this one. It gets one
// request, answers with one JSON value, and is given no terminal to paint on: what people see is made here.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Cli } from './define-command.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { Failure } from './failure.ts';
import { findAbove } from './find-above.ts';

export interface AdminAnswer {
  readonly ok: boolean;
  readonly result?: unknown;
  readonly error?: string;
  readonly next?: string;
  readonly exit?: ExitCode;
}

/** From the package that this file is a part of: in a build it lies beside the package of the command line. */
const PROGRAMS = [join('..', 'servicectl-admin.js'), join('src', 'entry', 'servicectl-admin.ts')];
const PINNED_NODE = join('node_modules', 'node', 'bin', 'node');
/** What the server's code is built for; older ones lack parts of it. */
const NODE_OF_THE_SERVER = 24;

export async function runAdmin<T>(
  { host }: Cli,
  command: string,
  request: Readonly<Record<string, unknown>> = {},
): Promise<T> {
  const program = PROGRAMS.map((file) => join(dirname(findAbove('package.json') ?? ''), file)).find((path) =>
    existsSync(path),
  );
  if (program === undefined)
    throw new Failure('this command needs the code of the service, which is not installed here', {
      error: 'not_on_the_server',
      next: 'Run it on the machine of the service, from its directory: node dist/servicectl.js',
    });
  const child = spawn(
    findNode(program),
    ['--disable-warning=ExperimentalWarning', program, command, JSON.stringify(request)],
    { stdio: ['ignore', 'pipe', 'inherit'], env: host.environment },
  );
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  await new Promise<void>((resolve, reject) => {
    child.once('error', (error) =>
      reject(
        new Failure(`cannot run ${child.spawnfile}: ${error.message}`, {
          next: 'Run npm ci in the directory of the service, then try again.',
        }),
      ),
    );
    child.once('close', () => resolve());
  });
  const answer = parse(text);
  if (answer.ok) return answer.result as T;
  throw new Failure(answer.error ?? 'the command ended without an answer', {
    exit: answer.exit ?? EXIT.failed,
    next:
      answer.next ?? (answer.error === undefined ? 'What it wrote above says why; if it stays, report it.' : undefined),
    ...(answer.result === undefined ? {} : { details: answer.result }),
  });
}

/** The Node that comes with the service, whichever started servicectl; its own where the service has none beside it. */
function findNode(program: string): string {
  const pinned = findAbove(PINNED_NODE, dirname(program));
  if (pinned !== undefined) return pinned;
  if (Number.parseInt(process.versions.node, 10) >= NODE_OF_THE_SERVER) return process.execPath;
  throw new Failure(
    `this command needs Node ${NODE_OF_THE_SERVER}, but ${process.execPath} is ${process.version} and ${PINNED_NODE} is missing`,
    { next: 'Run npm ci in the directory of the service, then try again.' },
  );
}

function parse(text: string): AdminAnswer {
  try {
    return JSON.parse(text) as AdminAnswer;
  } catch {
    return { ok: false };
  }
}
