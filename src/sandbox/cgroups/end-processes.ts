// Ends every process of a group and waits until the kernel has let go of the last. Whoever is read from the list may
// be gone a moment later; that is not a fault.
import { readFile, rmdir, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalProcess } from '../signal-process.ts';

const PAUSE_MS = 5;
const PATIENCE_MS = 10_000;

export async function endProcesses(procsFile: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const pids = await readPids(procsFile);
    if (pids.length === 0) return;
    for (const pid of pids) signalProcess(pid, 'SIGKILL');
    if (Date.now() > deadline) throw new Error('processes of a sandbox do not end');
    await sleep(PAUSE_MS);
  }
}

/** While it works, no process of the group can make another: nothing outruns the end. */
export async function withoutForks(limitFile: string, work: () => Promise<void>): Promise<void> {
  const limit = await readFile(limitFile, 'utf8').catch(() => undefined);
  if (limit !== undefined) await writeFile(limitFile, '0').catch(() => {});
  await work();
  if (limit !== undefined) await writeFile(limitFile, limit.trim()).catch(() => {});
}

/** A group can be removed a moment after its last process has gone, not at once. */
export async function removeGroup(directory: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await rmdir(directory);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'ENOENT') return;
      if (code !== 'EBUSY' || Date.now() > deadline) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

async function readPids(procsFile: string): Promise<number[]> {
  try {
    return (await readFile(procsFile, 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map(Number)
      .filter((pid) => pid > 0);
  } catch (error) {
    if (['ENOENT', 'ENODEV'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
