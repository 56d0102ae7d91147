// Writes a download to a temporary file and moves it into place once it is complete: an interrupted download leaves
// nothing behind, and an existing file is replaced only on request.
import { randomBytes } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { Failure } from './failure.ts';

export interface NewFile {
  readonly file: string;
  readonly replace: boolean;
  /** Advice if the file already exists or cannot be written. */
  readonly next: string;
}

/** @returns what `fill` returned. */
export async function writeNewFile<T>(
  { file, replace, next }: NewFile,
  fill: (write: (piece: Uint8Array | string) => Promise<void>) => Promise<T>,
): Promise<T> {
  const draft = `${file}.${randomBytes(4).toString('hex')}.part`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    let result: T;
    try {
      result = await fill((piece) => handle.writeFile(piece));
    } finally {
      await handle.close();
    }
    // A link fails if the file exists; a rename replaces it.
    if (replace) await rename(draft, file);
    else await link(draft, file);
    return result;
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Failure(code === 'EEXIST' ? `${file} already exists` : `cannot write ${file}: ${message}`, {
      ...(code === 'EEXIST' ? { error: 'file_exists' } : {}),
      next,
    });
  } finally {
    await rm(draft, { force: true });
  }
}
