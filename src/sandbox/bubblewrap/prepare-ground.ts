// The directory that all sandboxes of this controller share, and the sweep that clears it of an earlier one's rests.
import { chmod, mkdir, readdir, rm, writeFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CgroupHierarchy } from '../cgroups/cgroup.ts';
import { mountsBeneath, unmount } from './disk.ts';
import type { Host } from './host.ts';
import type { Programs } from './programs.ts';
import { mustRun } from './run-program.ts';
import { writeEtc } from './write-etc.ts';

export async function prepareDirectory(host: Host, programs: Programs): Promise<{ etc: string; shownEtc: string[]; node: string }> {
  await mkdir(join(host.directory, 'boxes'), { recursive: true, mode: 0o711 });
  const { uid } = await stat(host.directory);
  if (uid !== process.getuid?.()) throw new Error(`${host.directory} belongs to another user`);
  for (const path of [host.directory, join(host.directory, 'boxes')]) await chmod(path, host.root ? 0o711 : 0o700);
  const etc = join(host.directory, 'etc');
  const shownEtc = await writeEtc(etc);
  return { etc, shownEtc, node: await showNode(host, programs) };
}

/** The users of the runs may not be able to pass the directories above our own Node; a mount in ours shows it to them. */
async function showNode(host: Host, programs: Programs): Promise<string> {
  if (!host.root) return process.execPath;
  const path = join(host.directory, 'node');
  if ((await mountsBeneath(path)).length > 0) await unmount(programs, path);
  await writeFile(path, '');
  await mustRun(programs.mount, ['--bind', process.execPath, path]);
  return path;
}

/** Processes first, or they would hold what follows. */
export async function sweepOrphans(host: Host, programs: Programs, cgroups: CgroupHierarchy | undefined): Promise<void> {
  for (const name of (await cgroups?.list()) ?? []) {
    await cgroups?.open(name).kill();
  }
  const boxes = join(host.directory, 'boxes');
  if (host.root) for (const point of await mountsBeneath(boxes)) await unmount(programs, point);
  for (const name of await readdir(boxes).catch(() => [])) await rm(join(boxes, name), { recursive: true, force: true });
  for (const name of (await cgroups?.list()) ?? []) await cgroups?.open(name).remove();
}

/** Leaves the machine as it was found. */
export async function removeDirectory(host: Host, programs: Programs): Promise<void> {
  if (host.root) for (const point of await mountsBeneath(host.directory)) await unmount(programs, point);
  await rm(host.directory, { recursive: true, force: true });
}
