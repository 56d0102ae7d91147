// A controller that is killed while it launches a command can leave the launch behind: it asks the kernel to die with
// its parent only after a few milliseconds. Cgroups would know it; without them it is known by its arguments, and by a
// parent that is no controller.
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { findHolder } from '../lock-directory.ts';
import { signalProcess } from '../signal-process.ts';
import { readProcesses } from '../watchdog/read-processes.ts';
import { directoryPrefix } from './host.ts';
import { LAUNCH_ARGUMENTS } from './launch-script.ts';
import type { Programs } from './programs.ts';

export async function endOrphans(programs: Programs): Promise<void> {
  const mark = [programs.bwrap, ...LAUNCH_ARGUMENTS].join('\0');
  const launches = new Map<number, number>();
  for (const { pid, parent } of readProcesses()) if ((await commandOf(pid)).startsWith(mark)) launches.set(pid, parent);
  if (launches.size === 0) return;
  const controllers = await liveControllers();
  for (const [pid, parent] of launches) {
    // The first process of a sandbox is bubblewrap too, and its parent is the launch.
    if (launches.has(parent) || controllers.has(parent)) continue;
    signalProcess(pid, 'SIGKILL');
  }
}

/** Those of this user, whatever their data directory. */
async function liveControllers(): Promise<Set<number>> {
  const prefix = directoryPrefix(false);
  const names = (await readdir(dirname(prefix)).catch(() => [])).filter((name) => name.startsWith(basename(prefix)));
  const holders = await Promise.all(names.map((name) => findHolder(join(dirname(prefix), name))));
  return new Set([process.pid, ...holders.flatMap((pid) => pid ?? [])]);
}

async function commandOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}
