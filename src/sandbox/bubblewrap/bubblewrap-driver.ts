// Runs commands in bubblewrap: namespaces, a separate user, cgroups and a seccomp filter, on the host's kernel.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { newId } from '../../base/ids.ts';
import { makeDirectory } from '../../process/make-directory.ts';
import type { LimitMeans } from '../../contract/sandbox-limits.ts';
import { findHierarchy } from '../cgroups/find-hierarchy.ts';
import type { Probe, SandboxDriver } from '../driver.ts';
import { withDefaults } from '../limits.ts';
import { lockDirectory } from '../lock-directory.ts';
import { buildFilter, encodeFilter } from '../seccomp/build-filter.ts';
import { ARCHITECTURES, type Architecture } from '../seccomp/syscalls.ts';
import { createSandbox, type BubblewrapContext } from './create-sandbox.ts';
import { explainFailure, readKernelSwitches } from './explain-failure.ts';
import { describeHost, UID_COUNT } from './host.ts';
import { installCommand } from './install-command.ts';
import { MACHINE, openOwnSpace } from './mount-space.ts';
import { prepareRoot } from './prepare-root.ts';
import { findPrograms } from './programs.ts';
import { killOrphanedLaunches, removeAbandonedRoots, removeOrphans, removeRoot } from './remove-orphans.ts';
import { runProgram } from './run-program.ts';
import { findWeaknesses, SELF_TEST } from './self-test.ts';
import { createWatchdog } from '../watchdog/watchdog.ts';
import { createUidPool } from './uid-pool.ts';

const BY_WATCHDOG = { memory: 'watchdog', processes: 'rlimit', cpu: 'priority' } as const;

export interface BubblewrapSettings {
  readonly dataDirectory: string;
  /** Path of our groups in the cgroup tree. */
  readonly cgroup: string;
  readonly uidBase?: number | undefined;
  /** Path of a bubblewrap that is not installed system-wide. */
  readonly bwrap?: string | undefined;
  /** For tests: false makes every disk a plain directory, as on machines where nothing can be mounted. */
  readonly mounts?: boolean;
}

export function bubblewrapDriver(settings: BubblewrapSettings): SandboxDriver {
  let context: BubblewrapContext | undefined;
  let close = async (): Promise<void> => {};
  const getContext = (): BubblewrapContext => {
    if (context === undefined) throw new Error('probe() must be called first');
    return context;
  };
  return {
    name: 'bubblewrap',
    async probe() {
      const prepared = await prepare(settings);
      if (!prepared.ok) return prepared;
      ({ context, close } = prepared);
      const probe = await tryOut(context, prepared.limits, prepared.why);
      if (!probe.ok) await close();
      return probe;
    },
    async egressDirectory(id) {
      const path = join(getContext().host.directory, 'boxes', id, 'egress');
      await makeDirectory(path, 0o711);
      return path;
    },
    create: (spec) => createSandbox(getContext(), spec),
    close: () => close(),
  };
}

type Prepared =
  | { ok: true; context: BubblewrapContext; limits: LimitMeans; why?: string; close(): Promise<void> }
  | Extract<Probe, { ok: false }>;

/** Why bubblewrap cannot be used on this kind of machine. */
function findMachineFault(): Extract<Probe, { ok: false }> | undefined {
  if (process.platform !== 'linux')
    return {
      ok: false,
      reason: 'bubblewrap needs Linux',
      fix: 'run the controller on Linux, or set SERVICE_SANDBOX_DRIVER=docker',
    };
  if (!(process.arch in ARCHITECTURES))
    return {
      ok: false,
      reason: `there is no seccomp filter for ${process.arch}`,
      fix: 'run on x64 or arm64, or set SERVICE_SANDBOX_DRIVER=docker',
    };
  return undefined;
}

async function prepare({
  dataDirectory,
  cgroup,
  uidBase,
  bwrap,
  mounts = true,
}: BubblewrapSettings): Promise<Prepared> {
  const fault = findMachineFault();
  if (fault !== undefined) return fault;
  const found = await findPrograms(bwrap);
  if ('missing' in found) {
    return {
      ok: false,
      reason: `${found.missing.join(', ')} ${found.missing.length === 1 ? 'is' : 'are'} not installed`,
      fix: await installCommand(found.missing),
    };
  }
  const { programs } = found;
  const host = await describeHost(dataDirectory, uidBase);
  // Root inside would be root outside: runs need a different user.
  if (host.root && host.uidBase === undefined)
    return {
      ok: false,
      reason: 'there are no free user numbers for runs in this container',
      fix: 'run the controller as an ordinary user, or name a free range of 1,024 numbers in SERVICE_SANDBOX_UID_BASE',
    };
  await mkdir(host.directory, { recursive: true, mode: 0o700 });
  const lock = await lockDirectory(host.directory);
  if (!lock.ok)
    return {
      ok: false,
      reason: `another controller (pid ${lock.pid}) serves this data directory`,
      fix: 'stop it, or use another data directory',
    };

  const groups = await findHierarchy({ place: cgroup, instance: host.instance });
  const cgroups = groups.ok ? groups.hierarchy : undefined;
  await removeOrphans(host, programs, cgroups);
  if (!host.root) await killOrphanedLaunches(programs);
  // Another controller that starts at the same time may be removing the same leftovers.
  await removeAbandonedRoots(host, programs, cgroup).catch(() => {});
  const { stdout: help } = await runProgram([programs.bwrap, '--help']);
  const space = !mounts ? undefined : host.root ? MACHINE : await openOwnSpace(programs);
  const watchdog = cgroups === undefined || space === undefined ? createWatchdog() : undefined;
  return {
    ok: true,
    ...(groups.ok ? {} : { why: groups.reason }),
    limits: {
      ...(cgroups === undefined
        ? BY_WATCHDOG
        : { memory: 'cgroup', processes: 'cgroup', cpu: cgroups.limitsCpu ? 'cgroup' : 'priority' }),
      disk: space === undefined ? 'watchdog' : 'tmpfs',
      time: 'timer',
    },
    context: {
      host,
      programs,
      cgroups,
      watchdog,
      space,
      uids: host.uidBase === undefined ? undefined : createUidPool(host.uidBase, UID_COUNT),
      filter: encodeFilter(buildFilter(process.arch as Architecture)),
      shared: { ...(await prepareRoot(host, programs)), disableUserns: help.includes('--disable-userns') },
    },
    async close() {
      await removeOrphans(host, programs, cgroups);
      await watchdog?.close();
      await space?.close();
      await cgroups?.removeParent();
      await removeRoot(host, programs);
    },
  };
}

async function tryOut(context: BubblewrapContext, limits: LimitMeans, why: string | undefined): Promise<Probe> {
  const sandbox = await createSandbox(context, { id: newId('probe'), limits: withDefaults({}), env: {} }).catch(
    (error: Error) => error,
  );
  if (sandbox instanceof Error)
    return {
      ok: false,
      reason: `a sandbox cannot be created (${sandbox.message.slice(0, 200)})`,
      fix: 'see docs/operators/sandbox.md',
    };
  try {
    const command = await sandbox.exec({ argv: SELF_TEST, env: {}, cwd: '/workspace' });
    const [stdout, stderr, { code }] = await Promise.all([text(command.stdout), text(command.stderr), command.exited]);
    if (code !== 0) return { ok: false, ...explainFailure(stderr, await readKernelSwitches()) };
    const weaknesses = findWeaknesses(stdout);
    if (context.cgroups !== undefined && ((await sandbox.stats()).memoryPeakBytes ?? 0) === 0)
      weaknesses.push('the cgroup does not account memory');
    if (weaknesses.length > 0)
      return {
        ok: false,
        reason: `the sandbox is not secure: ${weaknesses.join(', ')}`,
        fix: 'update bubblewrap and the kernel, or set SERVICE_SANDBOX_DRIVER=gvisor',
      };
    return { ok: true, limits, ...(why === undefined ? {} : { why }) };
  } finally {
    await sandbox.destroy();
  }
}
