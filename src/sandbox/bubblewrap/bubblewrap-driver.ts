// Runs in bubblewrap: namespaces, a user of their own, cgroups and a seccomp filter, over the machine's own kernel.
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { newId } from '../../base/ids.ts';
import type { LimitMeans } from '../../contract/sandbox-limits.ts';
import { findHierarchy } from '../cgroups/find-hierarchy.ts';
import type { CgroupHierarchy } from '../cgroups/cgroup.ts';
import type { Probe, SandboxDriver } from '../driver.ts';
import { withDefaults } from '../limits.ts';
import { lockDirectory } from '../lock-directory.ts';
import { buildFilter, encodeFilter } from '../seccomp/build-filter.ts';
import { ARCHITECTURES, type Architecture } from '../seccomp/syscalls.ts';
import { createSandbox, type Ground } from './create-sandbox.ts';
import { explainFailure } from './explain-failure.ts';
import { describeHost, UID_COUNT } from './host.ts';
import { prepareDirectory, removeDirectory, sweepOrphans } from './prepare-ground.ts';
import { sweepDeserted } from './sweep-deserted.ts';
import { findPrograms, PACKAGES } from './programs.ts';
import { runProgram } from './run-program.ts';
import { findWeaknesses, SELF_TEST } from './self-test.ts';
import { createUidPool } from './uid-pool.ts';

const BY_CGROUP = { memory: 'cgroup', processes: 'cgroup', cpu: 'cgroup' } as const;
const BY_WATCHDOG = { memory: 'watchdog', processes: 'rlimit', cpu: 'priority' } as const;

export interface BubblewrapSettings {
  readonly dataDirectory: string;
  /** Place of our groups in the cgroup tree. */
  readonly cgroup: string;
  readonly uidBase?: number | undefined;
}

export function bubblewrapDriver(settings: BubblewrapSettings): SandboxDriver {
  let ground: Ground | undefined;
  let close = async (): Promise<void> => {};
  const getGround = (): Ground => {
    if (ground === undefined) throw new Error('the probe comes first');
    return ground;
  };
  return {
    name: 'bubblewrap',
    async probe() {
      const prepared = await prepare(settings);
      if (!prepared.ok) return prepared;
      ({ ground, close } = prepared);
      const probe = await tryOut(ground, prepared.limits);
      if (!probe.ok) await close();
      return probe;
    },
    async egressDirectory(id) {
      const path = join(getGround().host.directory, 'boxes', id, 'egress');
      await mkdir(path, { recursive: true, mode: 0o711 });
      await chmod(path, 0o711);
      return path;
    },
    create: (spec) => createSandbox(getGround(), spec),
    close: () => close(),
  };
}

type Prepared = { ok: true; ground: Ground; limits: LimitMeans; close(): Promise<void> } | Extract<Probe, { ok: false }>;

async function prepare({ dataDirectory, cgroup, uidBase }: BubblewrapSettings): Promise<Prepared> {
  if (process.platform !== 'linux') return { ok: false, reason: 'bubblewrap needs Linux', fix: 'run the controller on Linux, or set SERVICE_SANDBOX_DRIVER=docker' };
  if (!(process.arch in ARCHITECTURES)) return { ok: false, reason: `there is no seccomp filter for ${process.arch}`, fix: 'run on x64 or arm64, or set SERVICE_SANDBOX_DRIVER=docker' };
  const found = await findPrograms();
  if ('missing' in found) {
    const packages = [...new Set(found.missing.map((name) => PACKAGES[name]))];
    return { ok: false, reason: `${found.missing.join(', ')} ${found.missing.length === 1 ? 'is' : 'are'} not installed`, fix: `apt-get install ${packages.join(' ')}` };
  }
  const { programs } = found;
  const host = await describeHost(dataDirectory, uidBase);
  await mkdir(host.directory, { recursive: true, mode: 0o711 });
  const lock = await lockDirectory(host.directory);
  if (!lock.ok) return { ok: false, reason: `another controller (pid ${lock.pid}) serves this data directory`, fix: 'stop it, or use another data directory' };

  const groups = await findHierarchy(join(cgroup, host.instance));
  const cgroups: CgroupHierarchy | undefined = groups.ok ? groups.hierarchy : undefined;
  await sweepOrphans(host, programs, cgroups);
  // Another controller that starts at the same time may be about the same rests.
  await sweepDeserted(host, programs, cgroup).catch(() => {});
  const { stdout: help } = await runProgram(programs.bwrap, ['--help']);
  const limits: LimitMeans = { ...(groups.ok ? BY_CGROUP : BY_WATCHDOG), disk: host.uidBase === undefined ? 'watchdog' : 'tmpfs', time: 'timer' };
  return {
    ok: true,
    limits,
    ground: {
      host, programs, cgroups,
      uids: host.uidBase === undefined ? undefined : createUidPool(host.uidBase, UID_COUNT),
      filter: encodeFilter(buildFilter(process.arch as Architecture)),
      shared: { ...(await prepareDirectory(host, programs)), disableUserns: help.includes('--disable-userns') },
    },
    async close() {
      await sweepOrphans(host, programs, cgroups);
      await cgroups?.removeParent();
      await removeDirectory(host, programs);
    },
  };
}

async function tryOut(ground: Ground, limits: LimitMeans): Promise<Probe> {
  const sandbox = await createSandbox(ground, { id: newId('probe'), limits: withDefaults({}), env: {} }).catch((error: Error) => error);
  if (sandbox instanceof Error) return { ok: false, reason: `a sandbox cannot be made (${sandbox.message.slice(0, 200)})`, fix: 'see docs/operators/sandbox.md' };
  try {
    const command = await sandbox.exec({ argv: SELF_TEST, env: {}, cwd: '/workspace' });
    const [stdout, stderr, { code }] = await Promise.all([text(command.stdout), text(command.stderr), command.exited]);
    if (code !== 0) return { ok: false, ...explainFailure(stderr) };
    const weaknesses = findWeaknesses(stdout);
    if (ground.cgroups !== undefined && ((await sandbox.stats()).memoryPeakBytes ?? 0) === 0) weaknesses.push('the cgroup counts nothing');
    if (weaknesses.length > 0) return { ok: false, reason: `the sandbox does not hold: ${weaknesses.join(', ')}`, fix: 'update bubblewrap and the kernel, or set SERVICE_SANDBOX_DRIVER=gvisor' };
    return { ok: true, limits };
  } finally {
    await sandbox.destroy();
  }
}
