// The means by which limits are enforced that the other suites do not meet on this machine: a cgroup that is delegated
// to an ordinary user, and a disk that is a plain directory. The rest of the table is in sandbox-limits.test.ts.
import { chownSync, existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LimitMeans } from '../../src/contract/sandbox-limits.ts';
import { bubblewrapDriver } from '../../src/sandbox/bubblewrap/bubblewrap-driver.ts';
import { createController, type SandboxController } from '../../src/sandbox/controller.ts';
import type { SandboxDriver } from '../../src/sandbox/driver.ts';
import { createBody, execBody, type ExecEvent } from '../../src/sandbox/protocol.ts';
import { leaveOut } from '../support/needs.ts';
import {
  BWRAP,
  type ControllerProcess,
  isRoot,
  ROOTLESS,
  runIn,
  sandboxSkipReason,
  startController,
  withSandbox,
} from '../support/sandbox/sandbox.ts';

const MIB = 1024 * 1024;
const GROUP = `service-sandbox-delegated-${process.pid}`;
const TREE = '/sys/fs/cgroup';
const unified = existsSync(join(TREE, 'cgroup.controllers'));
const GROUPS = (unified ? [''] : ['memory', 'pids', 'cpu', 'cpuacct']).map((name) => join(TREE, name, GROUP));
const owner = ROOTLESS.options.dropTo ?? 0;
const leftOut = ROOTLESS.leftOut ?? (isRoot ? undefined : 'needs root to delegate a cgroup');

describe('a cgroup that is delegated to an ordinary user', leaveOut(leftOut), () => {
  let controller: ControllerProcess;
  beforeAll(async () => {
    if (unified) writeFileSync(join(TREE, 'cgroup.subtree_control'), '+memory +pids +cpu');
    for (const group of GROUPS) {
      mkdirSync(group);
      for (const path of ['', ...readdirSync(group)]) chownSync(join(group, path), owner, owner);
    }
    // In the unified tree only who is in a delegated group may move others within it.
    const before = unified ? `echo $$ >${join(TREE, GROUP)}/cgroup.procs` : '';
    controller = await startController({
      ...ROOTLESS.options,
      before,
      environment: { SERVICE_SANDBOX_CGROUP: unified ? 'self' : GROUP, SERVICE_SANDBOX_ALLOW_WEAK: '0' },
    });
  });
  afterAll(async () => {
    await controller?.remove();
    for (const group of GROUPS)
      for (const path of [join(group, 'service-controller'), join(group, 'service-sandbox'), group])
        if (existsSync(path)) rmdirSync(path);
  });

  it('is enough to serve in production', async () => {
    expect(await controller.client.health()).toMatchObject({
      ok: true,
      limits: { memory: 'cgroup', processes: 'cgroup', disk: 'tmpfs', cpu: 'cgroup', time: 'timer' },
    });
  });

  it('lets the kernel limit memory and processes', async () => {
    await withSandbox(controller.client, { limits: { memoryBytes: 64 * MIB, processes: 32 } }, async (id) => {
      const hog = await runIn(controller.client, id, `perl -e '$x = "x" x (200 * 1024 * 1024); print "WORKED"'; true`);
      expect(hog.stdout).not.toContain('WORKED');
      expect(hog.exit.stats.memoryKills).toBeGreaterThan(0);
      const { stdout, exit } = await runIn(controller.client, id, {
        argv: [
          'perl',
          '-e',
          'my $n = 0; while ($n < 1000) { my $p = fork(); last unless defined $p; if (!$p) { sleep 600; exit } $n++ } print $n; kill 9, -1',
        ],
      });
      expect(Number(stdout)).toBeLessThan(32);
      expect(exit.stats.processesRefused).toBeGreaterThan(0);
    });
  });
});

describe('a disk that is a plain directory', leaveOut(sandboxSkipReason), () => {
  let directory: string;
  let driver: SandboxDriver;
  let controller: SandboxController;
  let limits: LimitMeans;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'service-sandbox-plain-'));
    driver = bubblewrapDriver({ dataDirectory: directory, cgroup: 'service-sandbox', bwrap: BWRAP, mounts: false });
    const probe = await driver.probe();
    if (!probe.ok) throw new Error(probe.reason);
    ({ limits } = probe);
    controller = createController({ driver, limits, maxSandboxes: 4, log: pino({ level: 'silent' }) });
  });
  afterAll(async () => {
    await controller?.close();
    await driver?.close();
    await rm(directory, { recursive: true, force: true });
  });

  async function run(id: string, script: string): Promise<{ stdout: string; exit: Extract<ExecEvent, { t: 'exit' }> }> {
    const log = await controller.exec(id, execBody.parse({ argv: ['bash', '-c', script] }));
    let stdout = '';
    for await (const event of log.follow(-1, new AbortController().signal)) {
      if (event.t === 'out' && event.fd === 1) stdout += event.d;
      if (event.t === 'exit') return { stdout, exit: event };
    }
    throw new Error('the command ended without an exit');
  }

  it('is measured by the watchdog', () => expect(limits.disk).toBe('watchdog'));

  it('takes no file that is larger than the disk', async () => {
    const { id } = await controller.create(createBody.parse({ limits: { diskBytes: 4 * MIB } }));
    const { stdout } = await run(id, 'head -c 8M /dev/zero >big || echo refused; stat -c %s big');
    expect(stdout).toBe(`refused\n${4 * MIB}\n`);
    await controller.destroy(id);
  });

  it('ends the commands that fill it with many files, and lets the next one clean up but not write', async () => {
    const { id } = await controller.create(createBody.parse({ limits: { diskBytes: 4 * MIB } }));
    const filling = await run(id, 'i=0; while :; do i=$((i + 1)); head -c 100000 /dev/zero >"f$i"; done');
    expect(filling.exit).toMatchObject({ reason: 'disk_full' });
    await expect(controller.files(id).write('more', Buffer.from('x'))).rejects.toThrow('sandbox_disk_full');
    expect((await run(id, 'echo more 2>/dev/null >more && echo written; rm f*; echo removed')).stdout).toBe(
      'removed\n',
    );
    expect((await run(id, 'echo fits >small; cat small')).stdout).toBe('fits\n');
    await controller.destroy(id);
  });

  it('ends a command that hides what it has written', async () => {
    const { id } = await controller.create(createBody.parse({ limits: { diskBytes: 4 * MIB } }));
    // Root is not stopped by a mode, so it sees what is hidden and nothing needs to end.
    const { exit } = await run(id, isRoot ? 'true' : 'mkdir hidden; echo x >hidden/x; chmod 000 hidden; sleep 600');
    expect(exit.reason).toBe(isRoot ? undefined : 'disk_full');
    await controller.destroy(id);
  });
});
