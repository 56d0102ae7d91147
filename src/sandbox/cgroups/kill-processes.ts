// Kills every process of a group and waits until the last is gone. A listed process may exit at any moment; that is not
// an error.
import { readFile, rmdir, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalProcess } from '../signal-process.ts';

const PAUSE_MS = 5;
const PATIENCE_MS = 10_000;

export async function killProcesses(procsFile: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const pids = await readPids(procsFile);
    if (pids.length === 0) return;
    for (const pid of pids) signalProcess(pid, 'SIGKILL');
    if (Date.now() > deadline) throw new Error('the processes of a sandbox could not be killed');
    await sleep(PAUSE_MS);
  }
}

/** While it is frozen, no process of the group can fork, so none escapes. */
export async function withoutForks(limitFile: string, work: () => Promise<void>): Promise<void> {
  const limit = await readFile(limitFile, 'utf8').catch(() => undefined);
  if (limit !== undefined) await writeFile(limitFile, '0').catch(() => {});
  await work();
  if (limit !== undefined) await writeFile(limitFile, limit.trim()).catch(() => {});
}

/** A group can be removed only some moments after its last process has exited. */
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
