// postmaster.pid of a server that was killed. The next server takes it for another one that runs as long as its number
// exists: that of a zombie which whoever is process 1 here never reaps, or one that went to another program since, as
// after a restart of the machine or the container.
import { chown, readFile, readlink, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FoundProcess, findProcess } from '../base/find-process.ts';

/** Larger than any number that a system gives to a process. */
const NOBODY = 2_147_483_647;

export interface PidFile {
  readonly pid: number;
  readonly port: number;
  /** The server, if it still runs. */
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
 * Puts a number into the file that nobody has. The rest stays: by it the next server finds out whether children of the
 * killed one still hold its memory, and waits its turn.
 */
export async function disownPidFile(directory: string, { pid }: PidFile): Promise<void> {
  if (!exists(pid)) return;
  const file = pidFile(directory);
  const [text, { uid, gid }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
  await writeFile(`${file}.new`, text.replace(/^.*/, String(NOBODY)), { mode: 0o600 });
  await chown(`${file}.new`, uid, gid);
  await rename(`${file}.new`, file);
}

/** A server works in its directory. Where the system does not tell, it is asked for it by whoever logs in. */
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
