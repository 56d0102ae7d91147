// The older interface: one tree of directories per controller, so a group is a directory in each of them.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Stats } from '../driver.ts';
import type { Cgroup, CgroupHierarchy, CgroupLimits } from './cgroup.ts';
import { killProcesses, removeGroup, withoutForks } from './kill-processes.ts';
import { readFigure } from './read-figure.ts';

export interface V1Roots {
  readonly memory: string;
  readonly pids: string;
  readonly cpu: string;
  readonly cpuacct: string;
}

const PERIOD_US = 100_000;

export function cgroupsV1(roots: V1Roots, parent: string): CgroupHierarchy {
  const directories = (name: string): V1Roots => ({
    memory: join(roots.memory, parent, name),
    pids: join(roots.pids, parent, name),
    cpu: join(roots.cpu, parent, name),
    cpuacct: join(roots.cpuacct, parent, name),
  });
  return {
    version: 1,
    limitsCpu: true,
    async create(name, limits) {
      const at = directories(name);
      for (const directory of distinct(at)) await mkdir(directory, { recursive: true });
      await limit(at, limits);
      return group(at);
    },
    async list() {
      const found = new Set<string>();
      for (const root of distinct(directories('')))
        for (const entry of await readdir(root, { withFileTypes: true }).catch(() => []))
          if (entry.isDirectory()) found.add(entry.name);
      return [...found];
    },
    open: (name) => group(directories(name)),
    removeParent: () => group(directories('')).remove(),
  };
}

/** Some systems mount cpu and cpuacct as one. */
function distinct(at: V1Roots): string[] {
  return [...new Set(Object.values(at) as string[])];
}

async function limit(at: V1Roots, { memoryBytes, processes, cpus }: CgroupLimits): Promise<void> {
  await writeFile(join(at.memory, 'memory.limit_in_bytes'), String(memoryBytes));
  // Without swap accounting the file does not exist; then at least keep this group's pages from being swapped.
  await writeFile(join(at.memory, 'memory.memsw.limit_in_bytes'), String(memoryBytes)).catch(() =>
    writeFile(join(at.memory, 'memory.swappiness'), '0').catch(() => {}),
  );
  await writeFile(join(at.pids, 'pids.max'), String(processes));
  await writeFile(join(at.cpu, 'cpu.cfs_period_us'), String(PERIOD_US));
  await writeFile(join(at.cpu, 'cpu.cfs_quota_us'), String(Math.round(cpus * PERIOD_US)));
}

function group(at: V1Roots): Cgroup {
  const all = distinct(at);
  return {
    // A single-threaded process may join through this file too, without waiting for a machine-wide lock.
    joinFiles: all.map((directory) => join(directory, 'tasks')),
    async kill() {
      await withoutForks(join(at.pids, 'pids.max'), async () => {
        for (const directory of all) await killProcesses(join(directory, 'cgroup.procs'));
      });
    },
    async remove() {
      for (const directory of all) await removeGroup(directory);
    },
    stats: () => readStats(at),
  };
}

async function readStats(at: V1Roots): Promise<Stats> {
  const cpuNs = await readFigure(join(at.cpuacct, 'cpuacct.usage'));
  return known({
    memoryPeakBytes: await readFigure(join(at.memory, 'memory.max_usage_in_bytes')),
    cpuMs: cpuNs === undefined ? undefined : Math.round(cpuNs / 1e6),
    processes: await readFigure(join(at.pids, 'pids.current')),
    memoryKills: await readFigure(join(at.memory, 'memory.oom_control'), 'oom_kill'),
    processesRefused: await readFigure(join(at.pids, 'pids.events'), 'max'),
  });
}

export function known(figures: { [Name in keyof Stats]: number | undefined }): Stats {
  return Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== undefined));
}
