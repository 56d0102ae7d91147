// Copies one file as it is when it is opened: what is appended in the meantime is left out, so that the copy has the size
// in the manifest. Size and hash are those of what was written.
import { createHash } from 'node:crypto';
import { chmod, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Entry } from './manifest.ts';

const CHUNK_BYTES = 1024 * 1024;

/** Undefined if the file is gone. */
export async function copyFileAsItIs(from: string, to: string): Promise<Omit<Entry, 'path'> | undefined> {
  const source = await open(from, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (source === undefined) return undefined;
  try {
    const { size, mode } = await source.stat();
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    const target = await open(to, 'wx', 0o600);
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(Math.max(1, Math.min(CHUNK_BYTES, size)));
    let bytes = 0;
    try {
      while (bytes < size) {
        const { bytesRead } = await source.read(chunk, 0, Math.min(chunk.length, size - bytes), bytes);
        // It was shortened meanwhile.
        if (bytesRead === 0) break;
        hash.update(chunk.subarray(0, bytesRead));
        await target.write(chunk, 0, bytesRead, bytes);
        bytes += bytesRead;
      }
      await target.sync();
    } finally {
      await target.close();
    }
    await chmod(to, mode & 0o700);
    return { bytes, sha256: hash.digest('hex'), mode: mode & 0o777 };
  } finally {
    await source.close();
  }
}
