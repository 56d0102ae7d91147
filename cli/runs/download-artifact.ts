// Downloads a file that a run created. Directories in its name are created below the current one, never outside it.
import { mkdir, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Account, requireToken } from '../account.ts';
import { send } from '../api/send.ts';
import { Failure, usage } from '../failure.ts';
import type { Output } from '../output.ts';
import { writeNewFile } from '../write-new-file.ts';
import { runPath } from './runs-api.ts';

export interface Wanted {
  readonly id: string;
  readonly name: string;
  /** `-` is standard output; undefined means the artifact's name, below the current directory. */
  readonly file: string | undefined;
}

export interface Written {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
}

/** Path segments that could lead elsewhere on any platform. */
const LEADS_AWAY = /^\.{0,2}$|[\\\0:]/;

export function isArtifactName(name: string): boolean {
  return !name.split('/').some((part) => LEADS_AWAY.test(part));
}

export async function downloadArtifact(output: Output, account: Account, { id, name, file }: Wanted): Promise<Written> {
  if (!isArtifactName(name))
    throw usage('this is not the name of a file of a run', `List its files with: servicectl job ${id} --artifacts`);
  const response = await send(
    account.url,
    runPath(id, `/artifacts/${name.split('/').map(encodeURIComponent).join('/')}`),
    { bearer: requireToken(account), accept: 'application/octet-stream', stream: true, binary: true },
  ).catch((error: unknown) => {
    throw error instanceof Failure && error.error === 'not_found'
      ? new Failure(`the run has no file '${name}'`, {
          error: 'not_found',
          next: `List its files with: servicectl job ${id} --artifacts`,
        })
      : error;
  });
  const expected = Number(response.headers.get('content-length') ?? Number.NaN);
  const pieces = response.body ?? new Response('').body;
  if (file === '-') {
    const bytes = await copy(pieces, async (piece) => output.bytes(piece));
    return { name, file, bytes: requireWhole(bytes, expected, name) };
  }
  if (file === undefined) await makeDirectories(name);
  const bytes = await writeNewFile(
    { file: file ?? name, replace: file !== undefined, next: 'Name another file with --output.' },
    async (write) => requireWhole(await copy(pieces, write), expected, name),
  );
  return { name, file: file ?? name, bytes };
}

/** Refuses a directory that is a symbolic link to another place. */
async function makeDirectories(name: string): Promise<void> {
  const directory = dirname(name);
  if (directory === '.') return;
  const fault = (message: string): Failure => new Failure(message, { next: 'Name another file with --output.' });
  await mkdir(directory, { recursive: true }).catch((error: Error) =>
    Promise.reject(fault(`cannot create ${directory}: ${error.message}`)),
  );
  const here = await realpath('.');
  if ((await realpath(directory)) !== resolve(here, directory)) throw fault(`${directory} is a link to another place`);
}

async function copy(
  pieces: ReadableStream<Uint8Array> | null,
  take: (piece: Uint8Array) => Promise<void>,
): Promise<number> {
  let bytes = 0;
  if (!pieces) return bytes;
  try {
    for await (const piece of pieces) {
      await take(piece);
      bytes += piece.length;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw new Failure('the download was cut off', { next: 'Try again.' });
  }
  return bytes;
}

function requireWhole(bytes: number, expected: number, name: string): number {
  if (Number.isNaN(expected) || bytes === expected) return bytes;
  throw new Failure(`the download of ${name} was cut off after ${bytes} of ${expected} bytes`, { next: 'Try again.' });
}
