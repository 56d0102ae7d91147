// Commands that need the server's code and environment run in a child process, servicectl-admin. It takes one request
// and prints one JSON value; all output for people is produced here.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Cli } from './define-command.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { Failure } from './failure.ts';
import { findAbove } from './find-above.ts';

interface AdminAnswer {
  readonly ok: boolean;
  readonly result?: unknown;
  readonly error?: string;
  readonly next?: string;
  readonly exit?: ExitCode;
}

/** Relative to the package of this file: in a build the program is next to the CLI's package. */
const PROGRAMS = [join('..', 'servicectl-admin.js'), join('src', 'entry', 'servicectl-admin.ts')];
const PINNED_NODE = join('node_modules', 'node', 'bin', 'node');
/** The server's code is built for this version. */
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
    throw new Failure('this command needs the server code, which is not installed here', {
      error: 'not_on_the_server',
      next: 'Run it on the server, from the directory of the service: node dist/servicectl.js',
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
      answer.next ??
      (answer.error === undefined
        ? 'See the output above for the reason; if it keeps happening, report it.'
        : undefined),
    ...(answer.result === undefined ? {} : { details: answer.result }),
  });
}

/** The Node pinned by the service, whichever Node started servicectl; without a pinned one, the current Node. */
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
