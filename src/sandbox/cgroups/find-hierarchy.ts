// Which generation of cgroups the machine has, and whether we may make groups in it. Tried, not guessed.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CgroupHierarchy, FoundHierarchy } from './cgroup.ts';
import { cgroupsV1, type V1Roots } from './cgroup-v1.ts';
import { cgroupsV2, V2_CONTROLLERS } from './cgroup-v2.ts';

const FIX = 'run the controller as root on the machine itself, or give it a delegated cgroup and name it in SERVICE_SANDBOX_CGROUP';

export async function findHierarchy(parent: string, mountInfo = '/proc/self/mountinfo'): Promise<FoundHierarchy> {
  const mounts = parseCgroupMounts(await readFile(mountInfo, 'utf8').catch(() => ''));
  const hierarchy = await choose(mounts, parent);
  if (hierarchy === undefined) return { ok: false, reason: 'the cgroup controllers memory, pids and cpu are not there', fix: FIX };
  const name = `probe-${process.pid}`;
  try {
    const group = await hierarchy.create(name, { memoryBytes: 64 * 1024 * 1024, processes: 16, cpus: 1 });
    await group.remove();
    return { ok: true, hierarchy };
  } catch (error) {
    await hierarchy.open(name).remove().catch(() => {});
    return { ok: false, reason: `cgroups cannot be made (${(error as NodeJS.ErrnoException).code ?? 'failed'})`, fix: FIX };
  }
}

export interface CgroupMounts {
  readonly unified?: string;
  readonly controllers: ReadonlyMap<string, string>;
}

/** Mount points by controller, from the lines of mountinfo. */
export function parseCgroupMounts(text: string): CgroupMounts {
  const controllers = new Map<string, string>();
  let unified: string | undefined;
  for (const line of text.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const point = (before.split(' ')[4] ?? '').replaceAll('\\040', ' ');
    const [type, , options = ''] = after.split(' ');
    if (type === 'cgroup2') unified ??= point;
    if (type === 'cgroup') for (const option of options.split(',')) if (!controllers.has(option)) controllers.set(option, point);
  }
  return { ...(unified === undefined ? {} : { unified }), controllers };
}

async function choose({ unified, controllers }: CgroupMounts, parent: string): Promise<CgroupHierarchy | undefined> {
  if (unified !== undefined) {
    const there = (await readFile(join(unified, 'cgroup.controllers'), 'utf8').catch(() => '')).split(/\s+/);
    if (V2_CONTROLLERS.every((name) => there.includes(name))) return cgroupsV2(unified, parent);
  }
  const [memory, pids, cpu, cpuacct] = ['memory', 'pids', 'cpu', 'cpuacct'].map((name) => controllers.get(name));
  if (memory === undefined || pids === undefined || cpu === undefined || cpuacct === undefined) return undefined;
  const roots: V1Roots = { memory, pids, cpu, cpuacct };
  return cgroupsV1(roots, parent);
}
