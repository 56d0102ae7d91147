import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cgroupsV1 } from './cgroup-v1.ts';
import { cgroupsV2 } from './cgroup-v2.ts';
import { findHierarchy, parseCgroupMounts } from './find-hierarchy.ts';

const ALL = ['cpu', 'memory', 'pids'];
const LIMITS = { memoryBytes: 1024, processes: 7, cpus: 1.5 };
let root: string;
const text = (...path: string[]): Promise<string> => readFile(join(root, ...path), 'utf8');

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'service-cgroups-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('the unified tree', () => {
  const controllers = async (path: string, on: string): Promise<void> => {
    await mkdir(join(root, path), { recursive: true });
    await writeFile(join(root, path, 'cgroup.subtree_control'), on);
  };

  it('hands the controllers down and sets each limit', async () => {
    await controllers('', 'cpu');
    await controllers('service', '');
    await controllers('service/one', '');
    const group = await cgroupsV2(root, 'service/one', ALL).create('sbx_1', LIMITS);
    expect(await text('cgroup.subtree_control')).toBe('+memory +pids');
    expect(await text('service', 'cgroup.subtree_control')).toBe('+memory +pids +cpu');
    const at = ['service', 'one', 'sbx_1'];
    expect([
      await text(...at, 'memory.max'),
      await text(...at, 'memory.swap.max'),
      await text(...at, 'pids.max'),
      await text(...at, 'cpu.max'),
    ]).toEqual(['1024', '0', '7', '150000 100000']);
    expect(group.joinFiles).toEqual([join(root, ...at, 'cgroup.procs')]);
  });

  it('leaves alone what is already handed down, as in a delegated place', async () => {
    for (const path of ['', 'delegated']) await controllers(path, 'cpu memory pids');
    await cgroupsV2(root, 'delegated', ALL).create('sbx_1', LIMITS);
    expect(await text('cgroup.subtree_control')).toBe('cpu memory pids');
  });

  it('ends all at once, allows no process meanwhile, and restores the limit', async () => {
    for (const path of ['', 'service']) await controllers(path, 'cpu memory pids');
    const hierarchy = cgroupsV2(root, 'service', ALL);
    const group = await hierarchy.create('sbx_1', LIMITS);
    await group.kill();
    expect(await text('service', 'sbx_1', 'cgroup.kill')).toBe('1');
    expect(await text('service', 'sbx_1', 'pids.max')).toBe('7');
    expect(await hierarchy.list()).toEqual(['sbx_1']);
  });

  it('tells what was used', async () => {
    for (const path of ['', 'service']) await controllers(path, 'cpu memory pids');
    const group = await cgroupsV2(root, 'service', ALL).create('sbx_1', LIMITS);
    const files = {
      'memory.peak': '900',
      'cpu.stat': 'usage_usec 12000\nuser_usec 1',
      'pids.current': '3',
      'memory.events': 'oom 2\noom_kill 1',
      'pids.events': 'max 4',
    };
    for (const [name, value] of Object.entries(files))
      await writeFile(join(root, 'service', 'sbx_1', name), `${value}\n`);
    expect(await group.stats()).toEqual({
      memoryPeakBytes: 900,
      cpuMs: 12,
      processes: 3,
      memoryKills: 1,
      processesRefused: 4,
    });
  });
});

describe('a tree for each controller', () => {
  it('sets the limits where they belong, also where two controllers share a tree', async () => {
    const roots = {
      memory: join(root, 'memory'),
      pids: join(root, 'pids'),
      cpu: join(root, 'cpu,cpuacct'),
      cpuacct: join(root, 'cpu,cpuacct'),
    };
    const group = await cgroupsV1(roots, 'service').create('sbx_1', LIMITS);
    expect(await text('memory', 'service', 'sbx_1', 'memory.limit_in_bytes')).toBe('1024');
    expect(await text('memory', 'service', 'sbx_1', 'memory.memsw.limit_in_bytes')).toBe('1024');
    expect(await text('pids', 'service', 'sbx_1', 'pids.max')).toBe('7');
    expect(await text('cpu,cpuacct', 'service', 'sbx_1', 'cpu.cfs_quota_us')).toBe('150000');
    expect(group.joinFiles).toHaveLength(3);
  });
});

describe('finding the tree', () => {
  const find = (place: string): ReturnType<typeof findHierarchy> =>
    findHierarchy({ place, instance: 'one' }, { mountInfo: join(root, 'mountinfo'), ownGroups: join(root, 'cgroup') });
  const V1 =
    '24 23 0:20 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n25 23 0:21 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n26 23 0:22 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids';

  it('reads the mounts of both generations', () => {
    const mounts = parseCgroupMounts(`${V1}\n30 23 0:25 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw`);
    expect(mounts.unified).toBe('/sys/fs/cgroup/unified');
    expect(['memory', 'cpu', 'cpuacct', 'pids'].map((name) => mounts.controllers.get(name))).toEqual([
      '/sys/fs/cgroup/memory',
      '/sys/fs/cgroup/cpu,cpuacct',
      '/sys/fs/cgroup/cpu,cpuacct',
      '/sys/fs/cgroup/pids',
    ]);
  });

  it('says what is missing where there is none', async () => {
    await writeFile(join(root, 'mountinfo'), '30 23 0:25 / /nowhere rw - cgroup2 cgroup2 rw\n');
    expect(await find('service')).toEqual({
      ok: false,
      reason: 'the cgroup controllers memory and pids are missing',
    });
  });

  it('says so where no group can be made', async () => {
    await writeFile(join(root, 'cgroup.controllers'), 'cpu memory pids');
    await writeFile(join(root, 'mountinfo'), `30 23 0:25 / ${root} rw - cgroup2 cgroup2 rw\n`);
    // There is no cgroup.subtree_control to write to.
    expect(await find('service')).toEqual({ ok: false, reason: 'cgroups cannot be created (ENOENT)' });
  });

  describe('in the group that the controller was started in', () => {
    const delegated = async (controllers: string): Promise<void> => {
      await writeFile(join(root, 'mountinfo'), `30 23 0:25 / ${root} rw - cgroup2 cgroup2 rw\n`);
      await writeFile(join(root, 'cgroup'), '1:name=systemd:/elsewhere\n0::/user.slice/run-1.scope\n');
      const scope = join(root, 'user.slice', 'run-1.scope');
      await mkdir(join(scope, 'service-sandbox', 'one'), { recursive: true });
      for (const path of ['', 'service-sandbox', 'service-sandbox/one'])
        await writeFile(join(scope, path, 'cgroup.subtree_control'), '');
      await writeFile(join(scope, 'cgroup.controllers'), controllers);
      await writeFile(join(scope, 'cgroup.procs'), `${process.pid}\n`);
    };

    it('moves its processes into a leaf, so that the group may have children', async () => {
      await delegated('cpu memory pids');
      await find('self');
      expect(await text('user.slice', 'run-1.scope', 'service-controller', 'cgroup.procs')).toBe(String(process.pid));
      expect(await text('user.slice', 'run-1.scope', 'cgroup.subtree_control')).toBe('+memory +pids +cpu');
      // The stand-in has no kernel that would fill a new group with files, nor one that removes them.
      expect(
        await text('user.slice', 'run-1.scope', 'service-sandbox', 'one', `probe-${process.pid}`, 'pids.max'),
      ).toBe('16');
    });

    it('is found again once the controller has settled in its leaf', async () => {
      await delegated('cpu memory pids');
      await writeFile(join(root, 'cgroup'), '0::/user.slice/run-1.scope/service-controller\n');
      await find('self');
      expect(
        await text('user.slice', 'run-1.scope', 'service-sandbox', 'one', `probe-${process.pid}`, 'pids.max'),
      ).toBe('16');
    });

    it('does without a limit of processor time where that is not delegated', async () => {
      await delegated('memory pids');
      await find('self');
      expect(await text('user.slice', 'run-1.scope', 'cgroup.subtree_control')).toBe('+memory +pids');
      await expect(
        text('user.slice', 'run-1.scope', 'service-sandbox', 'one', `probe-${process.pid}`, 'cpu.max'),
      ).rejects.toThrow('ENOENT');
    });

    it('does not take one without the controllers for memory and processes', async () => {
      await delegated('cpu');
      expect(await find('self')).toEqual({ ok: false, reason: 'the cgroup controllers memory and pids are missing' });
    });
  });
});
