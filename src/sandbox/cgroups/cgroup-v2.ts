// The unified interface: one tree, with controllers enabled from the top down.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cgroup, CgroupHierarchy, CgroupLimits } from './cgroup.ts';
import { known } from './cgroup-v1.ts';
import { killProcesses, removeGroup, withoutForks } from './kill-processes.ts';
import { readFigure } from './read-figure.ts';

/** A group without these is of no use; processor time is limited only if its controller is available. */
export const V2_REQUIRED = ['memory', 'pids'] as const;
const CPU = 'cpu';
const PERIOD_US = 100_000;
/** Leaf for the processes of a delegated group: a group with children cannot contain processes itself. */
export const LEAF = 'service-controller';
/** How often the processes of a delegated group are moved before giving up on one that keeps forking. */
const SETTLE_ROUNDS = 100;

/** `root` is the top of the tree, or the delegated group; `available` are its controllers. */
export function cgroupsV2(root: string, parent: string, available: readonly string[]): CgroupHierarchy {
  const base = join(root, parent);
  const limitsCpu = available.includes(CPU);
  const controllers = [...V2_REQUIRED, ...(limitsCpu ? [CPU] : [])];
  return {
    version: 2,
    limitsCpu,
    async create(name, limits) {
      await mkdir(base, { recursive: true });
      await switchOn(root, parent, controllers);
      const at = join(base, name);
      await mkdir(at, { recursive: true });
      await limit(at, limits, limitsCpu);
      return group(at);
    },
    list: async () =>
      (await readdir(base, { withFileTypes: true }).catch(() => []))
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name),
    open: (name) => group(join(base, name)),
    removeParent: () => removeGroup(base),
  };
}

/** Moves every process of a delegated group, ourselves included, into a leaf of it. */
export async function settleInLeaf(delegated: string): Promise<void> {
  const leaf = join(delegated, LEAF);
  await mkdir(leaf, { recursive: true });
  // A moved process may have forked in the old place in the meantime.
  for (let round = 0; round < SETTLE_ROUNDS; round++) {
    const pids = (await readFile(join(delegated, 'cgroup.procs'), 'utf8')).split('\n').filter(Boolean);
    if (pids.length === 0) return;
    for (const pid of pids) {
      // It has exited in the meantime.
      await writeFile(join(leaf, 'cgroup.procs'), pid).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ESRCH') throw error;
      });
    }
  }
}

/** A controller works in a group only if every group above enables it. */
async function switchOn(root: string, parent: string, controllers: readonly string[]): Promise<void> {
  let at = root;
  for (const step of ['', ...parent.split('/').filter(Boolean)]) {
    at = join(at, step);
    const file = join(at, 'cgroup.subtree_control');
    const on = (await readFile(file, 'utf8')).split(/\s+/);
    const wanted = controllers.filter((name) => !on.includes(name));
    if (wanted.length > 0) await writeFile(file, wanted.map((name) => `+${name}`).join(' '));
  }
}

async function limit(at: string, { memoryBytes, processes, cpus }: CgroupLimits, limitsCpu: boolean): Promise<void> {
  await writeFile(join(at, 'memory.max'), String(memoryBytes));
  await writeFile(join(at, 'memory.swap.max'), '0').catch(() => {});
  await writeFile(join(at, 'pids.max'), String(processes));
  if (limitsCpu) await writeFile(join(at, 'cpu.max'), `${Math.round(cpus * PERIOD_US)} ${PERIOD_US}`);
}

function group(at: string): Cgroup {
  const procs = join(at, 'cgroup.procs');
  return {
    joinFiles: [procs],
    async kill() {
      await withoutForks(join(at, 'pids.max'), async () => {
        // One write kills them all if the kernel supports it (5.14); the loop works everywhere.
        await writeFile(join(at, 'cgroup.kill'), '1').catch(() => {});
        await killProcesses(procs);
      });
    },
    remove: () => removeGroup(at),
    async stats() {
      const cpuUs = await readFigure(join(at, 'cpu.stat'), 'usage_usec');
      return known({
        memoryPeakBytes: (await readFigure(join(at, 'memory.peak'))) ?? (await readFigure(join(at, 'memory.current'))),
        cpuMs: cpuUs === undefined ? undefined : Math.round(cpuUs / 1000),
        processes: await readFigure(join(at, 'pids.current')),
        memoryKills: await readFigure(join(at, 'memory.events'), 'oom_kill'),
        processesRefused: await readFigure(join(at, 'pids.events'), 'max'),
      });
    },
  };
}
