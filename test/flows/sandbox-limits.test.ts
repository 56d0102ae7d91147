// Each limit, reached on purpose; and the end of a run, which nothing in it survives.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaveOut } from '../support/needs.ts';
import { pollUntil } from '../support/poll.ts';
import {
  commandLine,
  type ControllerProcess,
  processesOf,
  ROOTFUL,
  runIn,
  startController,
  untilProcesses,
  WAYS,
  withSandbox,
} from '../support/sandbox/sandbox.ts';

const MIB = 1024 * 1024;

for (const way of WAYS)
  describe(`a sandbox ${way.name}`, leaveOut(way.leftOut), () => {
    let controller: ControllerProcess;
    beforeAll(async () => {
      controller = await startController(way.options);
    });
    afterAll(() => controller?.remove());
    const untilSleepers = async (count: number): Promise<number[]> => {
      const sleepers = async (): Promise<number[]> =>
        (await untilProcesses(controller, count)).filter((pid) => commandLine(pid).startsWith('sleep '));
      return pollUntil(sleepers, ({ length }) => length === count);
    };

    it('has 512 processes, 2 GiB of memory and 1 GiB of disk unless told otherwise, and 30 minutes', async () => {
      const before = Date.now();
      const { id, expiresAt } = await controller.client.create({});
      expect(Date.parse(expiresAt) - before).toBeGreaterThanOrEqual(30 * 60_000);
      expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(30 * 60_000);
      expect((await runIn(controller.client, id, 'df --output=size -B1 /workspace | tail -1')).stdout.trim()).toBe(
        String(1024 * MIB),
      );
      const values = (file: string): string[] => cgroupFiles(id, file).map((path) => readFileSync(path, 'utf8').trim());
      if (way === ROOTFUL) {
        expect([...values('pids.max')]).toEqual(['512']);
        expect([...values('memory.limit_in_bytes'), ...values('memory.max')]).toEqual([String(2048 * MIB)]);
      } else {
        // One process may map twice what the whole sandbox may use: what counts is measured.
        expect((await runIn(controller.client, id, 'ulimit -Hu; ulimit -Hd')).stdout).toBe(
          `512\n${(2 * 2048 * MIB) / 1024}\n`,
        );
      }
      await controller.client.destroy(id);
    });

    it('ends a command whose time is up, with all it started', async () => {
      await withSandbox(controller.client, {}, async (id) => {
        const { exit, stdout } = await runIn(controller.client, id, {
          argv: ['bash', '-c', 'echo begun; (trap "" TERM HUP INT; setsid sleep 600) & sleep 600'],
          timeoutMs: 300,
        });
        expect(exit).toMatchObject({ reason: 'timeout' });
        expect(stdout).toBe('begun\n');
        expect(processesOf(controller)).toEqual([]);
      });
    });

    it('ends what uses more memory than it may', async () => {
      await withSandbox(controller.client, { limits: { memoryBytes: 64 * MIB } }, async (id) => {
        const small = await runIn(controller.client, id, `perl -e '$x = "x" x (16 * 1024 * 1024); print length $x'`);
        expect(small.stdout).toBe(String(16 * MIB));
        const { exit, stdout } = await runIn(
          controller.client,
          id,
          `perl -e '$x = "x" x (200 * 1024 * 1024); sleep 600'; true`,
        );
        expect(stdout).toBe('');
        expect(exit.code).toBe(0);
        expect(exit.stats.memoryKills).toBeGreaterThan(0);
      });
    });

    it('makes no more processes than it may, whatever tries', async () => {
      await withSandbox(controller.client, { limits: { processes: 32 } }, async (id) => {
        const { stdout, exit } = await runIn(controller.client, id, {
          argv: [
            'perl',
            '-e',
            'my $n = 0; while ($n < 1000) { my $p = fork(); last unless defined $p; if (!$p) { sleep 600; exit } $n++ } print $n; kill 9, -1',
          ],
          timeoutMs: 20_000,
        });
        expect(Number(stdout)).toBeGreaterThan(5);
        expect(Number(stdout)).toBeLessThan(32);
        // Who is refused by an rlimit is not counted by the kernel.
        if (way === ROOTFUL) expect(exit.stats.processesRefused).toBeGreaterThan(0);
      });
    });

    it('survives a bomb of processes, and ends it when told to', async () => {
      await withSandbox(controller.client, { limits: { processes: 64, cpus: 0.5 } }, async (id) => {
        const running = runIn(controller.client, id, {
          argv: ['bash', '-c', 'bomb() { bomb | bomb & }; bomb; sleep 600'],
        });
        await untilProcesses(controller, 30);
        await controller.client.kill(id);
        expect((await running).exit).toMatchObject({ reason: 'killed' });
        expect(processesOf(controller)).toEqual([]);
        expect((await runIn(controller.client, id, 'echo again')).stdout).toBe('again\n');
      });
    });

    it('writes no more than its disk holds, in bytes and in files, wherever it writes', async () => {
      await withSandbox(controller.client, { limits: { diskBytes: 4 * MIB } }, async (id) => {
        for (const place of ['/workspace', '/tmp', '/home/agent', '/dev/shm', '/var/tmp']) {
          const { stderr } = await runIn(
            controller.client,
            id,
            `head -c 8M /dev/zero >${place}/big; rm -f ${place}/big`,
          );
          expect(stderr, place).toMatch(/No space left/);
        }
        const { stdout } = await runIn(
          controller.client,
          id,
          'for ((i = 0; i < 5000; i++)); do : 2>/dev/null >f$i || break; done; echo $i; rm -f f*',
        );
        expect(Number(stdout)).toBeLessThan(2000);
        await expect(controller.client.writeFile(id, 'big', Buffer.alloc(8 * MIB))).rejects.toThrow(
          'sandbox_disk_full',
        );
        expect((await runIn(controller.client, id, 'echo fits >small && cat small')).stdout).toBe('fits\n');
      });
    });

    it('says no more than it may, and the rest is marked as left out', async () => {
      await withSandbox(controller.client, { limits: { outputBytes: 10_000 } }, async (id) => {
        const { events, exit, stdout } = await runIn(
          controller.client,
          id,
          'head -c 20M /dev/zero | tr "\\0" x; echo end >&2',
        );
        expect(stdout).toBe('x'.repeat(10_000));
        expect(events.filter(({ t }) => t === 'truncated')).toEqual([expect.objectContaining({ limitBytes: 10_000 })]);
        expect(exit.code).toBe(0);
      });
    });

    it('leaves no process of a command behind when the command ends', async () => {
      await withSandbox(controller.client, {}, async (id) => {
        const { stdout } = await runIn(
          controller.client,
          id,
          'setsid sleep 600 </dev/null >/dev/null 2>&1 & disown; echo ended',
        );
        expect(stdout).toBe('ended\n');
        expect(processesOf(controller)).toEqual([]);
      });
    });

    it('is gone, tree and all, when it is aborted', async () => {
      const { id } = await controller.client.create({});
      const running = runIn(
        controller.client,
        id,
        'for i in 1 2 3; do (trap "" TERM INT HUP; while :; do setsid sleep 1; done) & done; wait',
      );
      const pids = await untilProcesses(controller, 6);
      await controller.client.kill(id);
      expect(pids.filter((pid) => processesOf(controller).includes(pid))).toEqual([]);
      expect((await running).exit.reason).toBe('killed');
      await controller.client.destroy(id);
    });

    it('ends a command at any moment of its life, also while it is being launched', async () => {
      await withSandbox(controller.client, {}, async (id) => {
        for (let moment = 0; moment < 20; moment++) {
          const running = runIn(controller.client, id, 'sleep 600 & sleep 600').catch(() => undefined);
          // Each round ends the command a little later in its life.
          await sleep(moment * 3);
          await controller.client.kill(id);
          // A command that had not reached the controller yet is ended by the next attempt.
          const again = setInterval(() => void controller.client.kill(id).catch(() => {}), 200);
          await running;
          clearInterval(again);
          expect(processesOf(controller)).toEqual([]);
        }
      });
    });

    it('ends a command, and no other, whose caller turns away', async () => {
      await withSandbox(controller.client, {}, async (id) => {
        const other = runIn(controller.client, id, 'until [ -e go ]; do sleep 0.05; done; echo stayed');
        const abort = new AbortController();
        const turned = (async () => {
          for await (const event of controller.client.exec(
            id,
            { argv: ['bash', '-c', 'echo begun; exec sleep 987'] },
            abort.signal,
          ))
            if (event.t === 'out') abort.abort(new Error('turned away'));
        })();
        await expect(turned).rejects.toThrow('turned away');
        expect(processesOf(controller).filter((pid) => commandLine(pid).includes('987'))).toEqual([]);
        await controller.client.writeFile(id, 'go', '');
        expect((await other).stdout).toBe('stayed\n');
      });
    });

    it('gives way to everything else where nothing limits its processor time', async () => {
      await withSandbox(controller.client, {}, async (id) =>
        expect((await runIn(controller.client, id, 'nice')).stdout).toBe(way === ROOTFUL ? '0\n' : '15\n'),
      );
    });

    it(`has ${way === ROOTFUL ? 'a user of its own' : "the controller's user"} on the machine`, async () => {
      const made = await Promise.all([controller.client.create({}), controller.client.create({})]);
      const running = made.map(({ id }) => runIn(controller.client, id, 'sleep 600').catch(() => undefined));
      const users = (await untilSleepers(2)).map(
        (pid) => /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1],
      );
      await Promise.all(made.map(({ id }) => controller.client.destroy(id)));
      await Promise.all(running);
      const own = way.options.dropTo ?? process.getuid?.();
      expect(new Set(users).size).toBe(way === ROOTFUL ? 2 : 1);
      for (const user of users) expect(Number(user) > 60_000 && Number(user) !== own).toBe(way === ROOTFUL);
    });

    it('writes to /dev/stdout, /dev/stderr and reads /dev/stdin by name', async () => {
      await withSandbox(controller.client, {}, async (id) => {
        const outcome = await runIn(controller.client, id, {
          argv: ['bash', '-c', 'cat /dev/stdin; echo out >/dev/stdout; echo err >/dev/stderr'],
          stdin: 'given\n',
        });
        expect([outcome.stdout, outcome.stderr]).toEqual(['given\nout\n', 'err\n']);
      });
    });
  });

function cgroupFiles(id: string, file: string): string[] {
  const found: string[] = [];
  for (const controller of ['', 'memory', 'pids', 'unified']) {
    for (const instance of list(`/sys/fs/cgroup/${controller}/service-sandbox`)) {
      const path = `/sys/fs/cgroup/${controller}/service-sandbox/${instance}/${id}/${file}`;
      if (list(`/sys/fs/cgroup/${controller}/service-sandbox/${instance}/${id}`).includes(file)) found.push(path);
    }
  }
  return found;
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
