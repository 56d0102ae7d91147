// postmaster.pid of a server that was killed. The next server believes that it is still running as long as a process
// with its pid exists: a zombie that process 1 never reaps, or another program that got the pid since, for example
// after a restart of the machine or the container.
import { chown, readFile, readlink, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FoundProcess, findProcess } from '../process/find-process.ts';

/** Larger than any pid. */
const NOBODY = 2_147_483_647;

export interface PidFile {
  readonly pid: number;
  readonly port: number;
  /** The server, if it is still running. */
  readonly server: FoundProcess | undefined;
}

export async function readPidFile(directory: string): Promise<PidFile | undefined> {
  const text = await readFile(pidFile(directory), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  const found = findProcess(pid);
  return {
    pid,
    port: Number(lines[3]),
    server: found?.name === 'postgres' && (await mayServe(pid, directory)) ? found : undefined,
  };
}

/**
 * Writes an unused pid into the file. The rest stays: from it the next server finds out whether children of the killed
 * one still use its shared memory, and waits.
 */
export async function disownPidFile(directory: string, { pid }: PidFile): Promise<void> {
  if (!exists(pid)) return;
  const file = pidFile(directory);
  const [text, { uid, gid }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
  await writeFile(`${file}.new`, text.replace(/^.*/, String(NOBODY)), { mode: 0o600 });
  await chown(`${file}.new`, uid, gid);
  await rename(`${file}.new`, file);
}

/** A server's working directory is its data directory. If the system does not show it, logging in will tell. */
async function mayServe(pid: number, directory: string): Promise<boolean> {
  const at = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return at === undefined || at === (await realpath(directory));
}

function exists(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function pidFile(directory: string): string {
  return join(directory, 'postmaster.pid');
}
