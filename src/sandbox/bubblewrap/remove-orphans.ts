// Clean-up before a controller starts: sandboxes that its previous process left behind, and directories of other
// controllers on this machine that no longer run.
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { CgroupHierarchy } from '../cgroups/cgroup.ts';
import { findHierarchy } from '../cgroups/find-hierarchy.ts';
import { findHolder, isAbandoned } from '../lock-directory.ts';
import { signalProcess } from '../signal-process.ts';
import { readProcesses } from '../watchdog/read-processes.ts';
import { mountsBeneath, removeTree, unmount } from './disk.ts';
import { directoryPrefix, type Host } from './host.ts';
import { LAUNCH_ARGUMENTS } from './launch-script.ts';
import { MACHINE } from './mount-space.ts';
import type { Programs } from './programs.ts';

export async function removeAbandonedRoots(own: Host, programs: Programs, cgroup: string): Promise<void> {
  const prefix = directoryPrefix(own.root);
  for (const name of await readdir(dirname(prefix)).catch(() => [])) {
    const directory = join(dirname(prefix), name);
    const instance = name.slice(basename(prefix).length);
    if (
      !name.startsWith(basename(prefix)) ||
      !/^[0-9a-f]{12}$/.test(instance) ||
      instance === own.instance ||
      !(await isAbandoned(directory))
    )
      continue;
    const host: Host = { ...own, directory, instance };
    const groups = await findHierarchy({ place: cgroup, instance });
    const cgroups = groups.ok ? groups.hierarchy : undefined;
    await removeOrphans(host, programs, cgroups);
    await cgroups?.removeParent();
    await removeRoot(host, programs);
  }
}

/** Kills processes first: they would keep mounts and directories busy. */
export async function removeOrphans(
  host: Host,
  programs: Programs,
  cgroups: CgroupHierarchy | undefined,
): Promise<void> {
  for (const name of (await cgroups?.list()) ?? []) {
    await cgroups?.open(name).kill();
  }
  const boxes = join(host.directory, 'boxes');
  if (host.root) for (const point of await mountsBeneath(boxes)) await unmount(programs, MACHINE, point);
  for (const name of await readdir(boxes).catch(() => [])) await removeTree(programs, join(boxes, name));
  for (const name of (await cgroups?.list()) ?? []) await cgroups?.open(name).remove();
}

export async function removeRoot(host: Host, programs: Programs): Promise<void> {
  if (host.root) for (const point of await mountsBeneath(host.directory)) await unmount(programs, MACHINE, point);
  // A mount that is still there is not ours to delete.
  if ((await mountsBeneath(host.directory)).length > 0) throw new Error(`${host.directory} still holds a mount`);
  await removeTree(programs, host.directory);
}

/**
 * A controller that is killed while it launches a command can leave the launch behind, because the launch asks the
 * kernel to die with its parent only after a few milliseconds. Where there are no cgroups to find it in, it is
 * recognised by its arguments and by a parent that is not a controller.
 */
export async function killOrphanedLaunches(programs: Programs): Promise<void> {
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

/** The controllers of this user, in any data directory. */
async function liveControllers(): Promise<Set<number>> {
  const prefix = directoryPrefix(false);
  const names = (await readdir(dirname(prefix)).catch(() => [])).filter((name) => name.startsWith(basename(prefix)));
  const holders = await Promise.all(names.map((name) => findHolder(join(dirname(prefix), name))));
  return new Set([process.pid, ...holders.flatMap((pid) => pid ?? [])]);
}

async function commandOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}
