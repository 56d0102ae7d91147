// Which version of cgroups the machine has, and whether we may create groups in it. Tried out, not guessed.
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { CgroupHierarchy, FoundHierarchy } from './cgroup.ts';
import { cgroupsV1, type V1Roots } from './cgroup-v1.ts';
import { cgroupsV2, LEAF, settleInLeaf, V2_REQUIRED } from './cgroup-v2.ts';

/** As a path: the group that the controller was started in, which it may then subdivide. */
const OWN_GROUP = 'self';
const GROUPS_NAME = 'service-sandbox';

export interface CgroupPlace {
  /** Relative to the root of the tree, or OWN_GROUP. */
  readonly place: string;
  /** Distinguishes the groups of one controller from those of another. */
  readonly instance: string;
}

const FILES = { mountInfo: '/proc/self/mountinfo', ownGroups: '/proc/self/cgroup' };

export async function findHierarchy({ place, instance }: CgroupPlace, files = FILES): Promise<FoundHierarchy> {
  const mounts = parseCgroupMounts(await readFile(files.mountInfo, 'utf8').catch(() => ''));
  const name = `probe-${process.pid}`;
  let hierarchy: CgroupHierarchy | undefined;
  try {
    hierarchy =
      place === OWN_GROUP
        ? await openOwnGroup(mounts, instance, files.ownGroups)
        : await choose(mounts, join(place, instance));
    if (hierarchy === undefined) return { ok: false, reason: 'the cgroup controllers memory and pids are missing' };
    const group = await hierarchy.create(name, { memoryBytes: 64 * 1024 * 1024, processes: 16, cpus: 1 });
    await group.remove();
    return { ok: true, hierarchy };
  } catch (error) {
    await hierarchy
      ?.open(name)
      .remove()
      .catch(() => {});
    return { ok: false, reason: `cgroups cannot be created (${(error as NodeJS.ErrnoException).code ?? 'failed'})` };
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
    if (type === 'cgroup')
      for (const option of options.split(',')) if (!controllers.has(option)) controllers.set(option, point);
  }
  return { ...(unified === undefined ? {} : { unified }), controllers };
}

/** Delegated groups exist only in the unified tree. */
async function openOwnGroup(
  { unified }: CgroupMounts,
  instance: string,
  ownGroups: string,
): Promise<CgroupHierarchy | undefined> {
  const own = /^0::\/?(.*)$/m.exec(await readFile(ownGroups, 'utf8').catch(() => ''))?.[1];
  if (unified === undefined || own === undefined) return undefined;
  // After the move we are in the leaf; the delegated group is its parent.
  const from = join(unified, basename(own) === LEAF ? dirname(own) : own);
  const controllers = await readControllers(from);
  if (!V2_REQUIRED.every((name) => controllers.includes(name))) return undefined;
  await settleInLeaf(from);
  return cgroupsV2(from, join(GROUPS_NAME, instance), controllers);
}

async function choose({ unified, controllers }: CgroupMounts, parent: string): Promise<CgroupHierarchy | undefined> {
  if (unified !== undefined) {
    const there = await readControllers(unified);
    if (V2_REQUIRED.every((name) => there.includes(name))) return cgroupsV2(unified, parent, there);
  }
  const [memory, pids, cpu, cpuacct] = ['memory', 'pids', 'cpu', 'cpuacct'].map((name) => controllers.get(name));
  if (memory === undefined || pids === undefined || cpu === undefined || cpuacct === undefined) return undefined;
  const roots: V1Roots = { memory, pids, cpu, cpuacct };
  return cgroupsV1(roots, parent);
}

async function readControllers(group: string): Promise<string[]> {
  return (await readFile(join(group, 'cgroup.controllers'), 'utf8').catch(() => '')).split(/\s+/).filter(Boolean);
}
