// Other controllers of this machine may have died for good, with a data directory that nobody will use again. What they
// left is cleared away by whoever starts next.
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { findHierarchy } from '../cgroups/find-hierarchy.ts';
import { isDeserted } from '../lock-directory.ts';
import { directoryPrefix, type Host } from './host.ts';
import { removeDirectory, sweepOrphans } from './prepare-ground.ts';
import type { Programs } from './programs.ts';

export async function sweepDeserted(own: Host, programs: Programs, cgroup: string): Promise<void> {
  const prefix = directoryPrefix(own.root);
  for (const name of await readdir(dirname(prefix)).catch(() => [])) {
    const directory = join(dirname(prefix), name);
    const instance = name.slice(basename(prefix).length);
    if (
      !name.startsWith(basename(prefix)) ||
      !/^[0-9a-f]{12}$/.test(instance) ||
      instance === own.instance ||
      !(await isDeserted(directory))
    )
      continue;
    const host: Host = { ...own, directory, instance };
    const groups = await findHierarchy({ place: cgroup, instance });
    const cgroups = groups.ok ? groups.hierarchy : undefined;
    await sweepOrphans(host, programs, cgroups);
    await cgroups?.removeParent();
    await removeDirectory(host, programs);
  }
}
