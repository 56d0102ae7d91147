// A file that a run left, written beside its place and put there once it is whole: a download that breaks leaves
// nothing behind, and a file of the same name is replaced only when it was named.
import { randomBytes } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { type Account, requireToken } from '../account.ts';
import { send } from '../api/send.ts';
import { Failure } from '../failure.ts';
import type { Output } from '../output.ts';
import { runPath } from './runs-api.ts';

export interface Wanted {
  readonly id: string;
  readonly name: string;
  /** `-` is standard output; undefined the last part of the name, here. */
  readonly file: string | undefined;
}

export async function downloadArtifact(output: Output, account: Account, { id, name, file }: Wanted): Promise<{ readonly name: string; readonly file: string; readonly bytes: number }> {
  const response = await send(account.url, runPath(id, `/artifacts/${name.split('/').map(encodeURIComponent).join('/')}`), { bearer: requireToken(account), accept: 'application/octet-stream', stream: true, binary: true }).catch((error: unknown) => {
    throw error instanceof Failure && error.error === 'not_found' ? new Failure(`the run left no file '${name}'`, { error: 'not_found', next: `See what it left with: servicectl job ${id} --artifacts` }) : error;
  });
  const expected = Number(response.headers.get('content-length') ?? Number.NaN);
  const pieces = response.body ?? new Response('').body;
  if (file === '-') {
    const bytes = await copy(pieces, async (piece) => output.bytes(piece));
    return { name, file, bytes: requireWhole(bytes, expected, name) };
  }
  const target = file ?? name.slice(name.lastIndexOf('/') + 1);
  const draft = `${target}.${randomBytes(4).toString('hex')}.part`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    let bytes: number;
    try {
      bytes = await copy(pieces, async (piece) => void (await handle.writeFile(piece)));
    } finally {
      await handle.close();
    }
    requireWhole(bytes, expected, name);
    // A link fails where something is there already; a rename replaces it.
    if (file === undefined) await link(draft, target);
    else await rename(draft, target);
    return { name, file: target, bytes };
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Failure(code === 'EEXIST' ? `${target} is there already` : `cannot write ${target}: ${message}`, { next: 'Name another file with --output.' });
  } finally {
    await rm(draft, { force: true });
  }
}

async function copy(pieces: ReadableStream<Uint8Array> | null, take: (piece: Uint8Array) => Promise<void>): Promise<number> {
  let bytes = 0;
  if (!pieces) return bytes;
  try {
    for await (const piece of pieces) {
      await take(piece);
      bytes += piece.length;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    throw new Failure('the download broke off', { next: 'Try again.' });
  }
  return bytes;
}

function requireWhole(bytes: number, expected: number, name: string): number {
  if (Number.isNaN(expected) || bytes === expected) return bytes;
  throw new Failure(`the download of ${name} broke off after ${bytes} of ${expected} bytes`, { next: 'Try again.' });
}
