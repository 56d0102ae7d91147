// A disk without room is waited for: whatever ran out of it would run out of it again at once.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../base/ids.ts';
import { retryFault, type RetryOptions } from '../../timing/retry-fault.ts';

/** More than a run writes at a time, so that the next write does not fail again. */
const PROBE = Buffer.alloc(1024 * 1024, 'x');

/** Resolves once something can be written to the directory; rejects when the patience ends before. */
export async function waitForRoom(directory: string, options: RetryOptions): Promise<void> {
  const file = join(directory, newId('room'));
  try {
    await retryFault(async () => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await writeFile(file, PROBE, { mode: 0o600 });
    }, options);
  } finally {
    await rm(file, { force: true });
  }
}
