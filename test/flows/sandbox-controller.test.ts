// The controller as a process of its own: its interface, its leases, and what is left when it dies.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readUnits } from '../../scripts/read-deploy-files.ts';
import type { LimitMeans } from '../../src/contract/sandbox-limits.ts';
import { leaveOut, needs } from '../support/needs.ts';
import { createSandboxClient } from '../../src/sandbox/client.ts';
import { callController } from '../../src/sandbox/call-controller.ts';
import { freePort } from '../support/free-port.ts';
import { leftovers } from '../support/sandbox/sandbox-leftovers.ts';
import {
  BWRAP,
  commandLine,
  type ControllerProcess,
  ROOTFUL,
  ROOTLESS,
  runIn,
  sandboxSkipReason,
  startController,
  WAYS,
  withSandbox,
} from '../support/sandbox/sandbox.ts';

const UNIT_UMASK =
  readUnits()
    .find(({ file }) => file === 'service-sandbox.service')
    ?.settings.get('UMask')?.[0] ?? '';
const STRONG: LimitMeans = { memory: 'cgroup', processes: 'cgroup', disk: 'tmpfs', cpu: 'cgroup', time: 'timer' };

for (const way of WAYS)
  describe(`the sandbox controller ${way.name}`, leaveOut(way.leftOut), () => {
    let controller: ControllerProcess;
    beforeAll(async () => {
      controller = await startController(way.options);
    });
    afterAll(() => controller?.remove());

    it('listens on a socket that no other user may open, and reports its health', async () => {
      expect(statSync(controller.url.slice('unix:'.length)).mode & 0o777).toBe(0o600);
      expect(await controller.client.health()).toMatchObject({
        ok: true,
        driver: 'bubblewrap',
        limits: way === ROOTFUL ? STRONG : { ...STRONG, memory: 'watchdog', processes: 'rlimit', cpu: 'priority' },
      });
    });

    it('runs commands over one workspace that lasts from one to the next', async () => {
      await withSandbox(controller.client, { env: { GREETING: 'hello' } }, async (id) => {
        await controller.client.writeFile(id, 'artifacts/in/a.txt', 'placed');
        const first = await runIn(controller.client, id, {
          argv: [
            'bash',
            '-c',
            'cat artifacts/in/a.txt; echo "$GREETING $MORE" >artifacts/b.txt; echo t >/tmp/t; pwd; whoami',
          ],
          env: { MORE: 'there' },
          cwd: '/workspace',
        });
        expect(first.stdout).toBe('placed/workspace\nagent\n');
        expect(first.exit).toMatchObject({ code: 0, signal: null });
        expect((await controller.client.readFile(id, '/workspace/artifacts/b.txt')).toString()).toBe('hello there\n');
        expect(await controller.client.listFiles(id, 'artifacts')).toEqual({
          entries: [
            { name: 'b.txt', type: 'file', size: 12 },
            { name: 'in', type: 'directory', size: 0 },
          ],
        });
        expect((await runIn(controller.client, id, 'cat /tmp/t; exit 7')).exit.code).toBe(7);
        expect((await runIn(controller.client, id, { argv: ['/no/such/program'] })).exit.code).not.toBe(0);
      });
    });

    it('shows programs of the tools directory, to be used but not changed', async () => {
      await mkdir(join(controller.directory, 'tools', 'bin'), { recursive: true });
      await writeFile(join(controller.directory, 'tools', 'bin', 'greet'), '#!/bin/sh\necho hello from a tool\n', {
        mode: 0o755,
      });
      await withSandbox(controller.client, {}, async (id) => {
        expect((await runIn(controller.client, id, 'greet; echo x >>/opt/tools/bin/greet')).stdout).toBe(
          'hello from a tool\n',
        );
      });
      expect(await readFile(join(controller.directory, 'tools', 'bin', 'greet'), 'utf8')).toBe(
        '#!/bin/sh\necho hello from a tool\n',
      );
    });

    it('runs commands whatever its umask is, that of its unit for one, and hands none of it on', async () => {
      const strict = await startController({ ...way.options, before: `umask ${UNIT_UMASK}` });
      try {
        for (const { id } of [
          await strict.client.create({ network: { allow: ['example.org:443'] } }),
          await strict.client.create({}),
        ]) {
          await strict.client.writeFile(id, 'in/a.txt', 'placed');
          const { stdout, stderr } = await runIn(
            strict.client,
            id,
            'umask; cat in/a.txt; echo; stat -c %a in in/a.txt /etc /etc/passwd /etc/ssl/certs /opt/tools; ls /opt/tools; getent hosts localhost >/dev/null && touch made && stat -c %a made',
          );
          expect([stdout, stderr]).toEqual(['0022\nplaced\n755\n644\n755\n644\n755\n755\n644\n', '']);
        }
      } finally {
        await strict.remove();
      }
    });

    it('answers the same sandbox to the same key, and refuses the key with another body', async () => {
      const input = { idempotencyKey: 'once', env: { A: '1' } };
      const [first, second] = await Promise.all([controller.client.create(input), controller.client.create(input)]);
      expect(second).toEqual(first);
      await expect(controller.client.create({ ...input, env: { A: '2' } })).rejects.toThrow('idempotency_conflict');
      await controller.client.destroy(first.id);
      const again = await controller.client.create({ ...input, env: { A: '2' } });
      expect(again.id).not.toBe(first.id);
      await controller.client.destroy(again.id);
    });

    it('keeps of an owner the sandbox of the latest turn only, and has its place free for it', async () => {
      const small = await startController({ ...way.options, environment: { SERVICE_SANDBOX_MAX: '1' } });
      const of = (turn: number) => small.client.create({ owner: { name: 'run_1', turn } });
      try {
        const lost = await of(3);
        const left = runIn(small.client, lost.id, 'touch begun; sleep 600');
        await expect.poll(async () => (await small.client.listFiles(lost.id, '')).entries.length).toBe(1);
        // A second attempt of the same turn, too, is the one that lives.
        await of(7);
        const latest = await of(7);
        expect((await left).exit.reason).toBe('killed');
        await expect(small.client.listFiles(lost.id, '')).rejects.toThrow('sandbox_not_found');
        await expect(of(5)).rejects.toThrow('conflict');
        await small.client.destroy(latest.id);
        // With the last one its turn is forgotten.
        await small.client.destroy((await of(1)).id);
      } finally {
        await small.remove();
      }
    });

    it('removes a sandbox whose lease has ended, with what runs in it', async () => {
      const { id } = await controller.client.create({ ttlMs: 1_000 });
      const { exit } = await runIn(controller.client, id, 'sleep 600');
      expect(['expired', 'timeout']).toContain(exit.reason);
      await expect
        .poll(
          () =>
            controller.client.listFiles(id, '').then(
              () => 'there',
              (error: Error) => error.message,
            ),
          { timeout: 20_000 },
        )
        .toBe('sandbox_not_found');
      await expect.poll(() => leftovers(controller, way, id), { timeout: 20_000 }).toEqual([]);
    });

    it('gives a lease that is renewed more time', async () => {
      await withSandbox(controller.client, { ttlMs: 5_000 }, async (id) => {
        const { expiresAt } = await controller.client.renew(id, 600_000);
        expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now() + 500_000);
      });
    });

    it('resumes the output of a command for a caller that returns with the last number', async () => {
      await withSandbox(controller.client, {}, async (id) => {
        const answer = await callController(
          { url: controller.url },
          {
            method: 'POST',
            path: `/v1/sandboxes/${id}/exec`,
            body: JSON.stringify({ argv: ['bash', '-c', 'echo one; until [ -e go ]; do sleep 0.05; done; echo two'] }),
          },
        );
        let text = '';
        for await (const chunk of answer) {
          text += String(chunk);
          if (text.includes('one')) break;
        }
        answer.destroy();
        const events = text
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as { seq: number; t: string; exec?: string });
        const exec = events[0]?.exec ?? '';
        await controller.client.writeFile(id, 'go', '');
        const back = await callController(
          { url: controller.url },
          { method: 'GET', path: `/v1/sandboxes/${id}/exec/${exec}?after=${events.at(-1)?.seq}` },
        );
        let rest = '';
        for await (const chunk of back) rest += String(chunk);
        expect(rest).not.toContain('one');
        expect(rest).toContain('two');
        expect(rest).toMatch(/"t":"exit","code":0/);
      });
    });

    it('ends a command whose caller left and did not come back', async () => {
      await withSandbox(controller.client, {}, async (id) => {
        const answer = await callController(
          { url: controller.url },
          {
            method: 'POST',
            path: `/v1/sandboxes/${id}/exec`,
            body: JSON.stringify({ argv: ['bash', '-c', 'echo begun; sleep 600'] }),
          },
        );
        let text = '';
        for await (const chunk of answer) {
          text += String(chunk);
          if (text.includes('begun')) break;
        }
        const exec = /"exec":"([^"]+)"/.exec(text)?.[1] ?? '';
        await expect
          .poll(() => leftovers(controller, way, id).some((line) => line.startsWith('process')), {
            timeout: 30_000,
            interval: 200,
          })
          .toBe(false);
        const back = await callController(
          { url: controller.url },
          { method: 'GET', path: `/v1/sandboxes/${id}/exec/${exec}?after=0` },
        );
        let rest = '';
        for await (const chunk of back) rest += String(chunk);
        expect(rest).toContain('"reason":"abandoned"');
      });
    });

    it('refuses what it does not understand', async () => {
      const ask = async (method: string, path: string, body?: string): Promise<string> => {
        const answer = await callController({ url: controller.url }, { method, path, body });
        let text = '';
        for await (const chunk of answer) text += String(chunk);
        return `${answer.statusCode} ${(JSON.parse(text) as { error: string }).error}`;
      };
      expect(await ask('POST', '/v1/sandboxes', '{')).toBe('400 invalid_request');
      expect(await ask('POST', '/v1/sandboxes', '{"limits":{"memoryBytes":1}}')).toBe('400 invalid_request');
      expect(await ask('POST', '/v1/sandboxes', '{"unknown":1}')).toBe('400 invalid_request');
      expect(await ask('POST', '/v1/sandboxes', '{"env":{"A B":"x"}}')).toBe('400 invalid_request');
      expect(await ask('POST', '/v1/sandboxes/sbx_none/exec', '{"argv":["true"]}')).toBe('404 sandbox_not_found');
      expect(await ask('DELETE', '/v1/sandboxes/sbx_none')).toBe('404 sandbox_not_found');
      expect(await ask('GET', '/v1/sandboxes')).toBe('404 not_found');
      expect(await ask('GET', '/elsewhere')).toBe('404 not_found');
    });

    it('refuses what came through a proxy, except about its health', async () => {
      const ask = (path: string, method: string): Promise<number> =>
        new Promise((resolve, reject) => {
          request(
            {
              socketPath: controller.url.slice('unix:'.length),
              path,
              method,
              headers: { 'x-forwarded-for': '203.0.113.7' },
            },
            (answer) => {
              answer.resume();
              resolve(answer.statusCode ?? 0);
            },
          )
            .once('error', reject)
            .end();
        });
      expect(await ask('/healthz', 'GET')).toBe(200);
      expect(await ask('/v1/sandboxes', 'POST')).toBe(401);
    });

    it('takes no more sandboxes than configured', async () => {
      const small = await startController({ ...way.options, environment: { SERVICE_SANDBOX_MAX: '2' } });
      try {
        const made = await Promise.allSettled([1, 2, 3, 4].map(() => small.client.create({})));
        expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
        expect(made.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).message] : []))).toEqual([
          'sandbox_full',
          'sandbox_full',
        ]);
      } finally {
        await small.remove();
      }
    });

    it('asks for its token on the loopback, and does not start there without one', async () => {
      const url = `http://127.0.0.1:${await freePort()}`;
      const withToken = await startController({
        ...way.options,
        environment: { SERVICE_SANDBOX_URL: url, SERVICE_SANDBOX_TOKEN: 'a-token-of-the-test' },
      });
      try {
        await withSandbox(withToken.client, {}, async (id) =>
          expect((await runIn(withToken.client, id, 'echo in')).stdout).toBe('in\n'),
        );
        await expect(createSandboxClient({ url }).create({})).rejects.toThrow('unauthenticated');
        await expect(createSandboxClient({ url, token: 'a-token-of-the-tesT' }).create({})).rejects.toThrow(
          'unauthenticated',
        );
      } finally {
        await withToken.remove();
      }
      const without = await startController({
        ...way.options,
        environment: { SERVICE_SANDBOX_URL: url },
        awaitReady: false,
      });
      expect((await without.exited).code).toBe(78);
      expect(without.stderr()).toContain('SERVICE_SANDBOX_TOKEN');
      await without.remove();
    });

    it('leaves nothing on the machine when it stops', async () => {
      const one = await startController(way.options);
      const { id } = await one.client.create({ network: { allow: ['example.org:443'] } });
      const running = runIn(one.client, id, 'sleep 600').catch(() => {});
      await expect
        .poll(() => leftovers(one, way, id).some((line) => line.startsWith('process')), { timeout: 20_000 })
        .toBe(true);
      expect((await one.stop()).code).toBe(0);
      await running;
      expect(leftovers(one, way)).toEqual([]);
      await one.remove();
    });

    it('clears away, at its next start, all that a killed one left', async () => {
      const first = await startController(way.options);
      const ids = await Promise.all([1, 2, 3].map(async () => (await first.client.create({})).id));
      const running = ids.map((id) =>
        runIn(first.client, id, 'for i in 1 2 3; do setsid sleep 600 & done; touch begun; wait').catch(() => {}),
      );
      for (const id of ids)
        await expect
          .poll(
            () =>
              first.client.readFile(id, 'begun').then(
                () => true,
                () => false,
              ),
            { timeout: 20_000 },
          )
          .toBe(true);
      await first.stop('SIGKILL');
      await Promise.all(running);
      expect(leftovers(first, way).filter((line) => !line.startsWith('process'))).not.toEqual([]);
      const second = await startController({ ...way.options, directory: first.directory });
      for (const id of ids) expect(leftovers(second, way, id)).toEqual([]);
      await withSandbox(second.client, {}, async (id) =>
        expect((await runIn(second.client, id, 'echo up')).stdout).toBe('up\n'),
      );
      await second.stop();
      expect(leftovers(second, way)).toEqual([]);
      await second.remove();
    });

    it('removes what a dead controller left behind, and nothing of a live one', async () => {
      const dead = await startController(way.options);
      await dead.client.create({});
      const { id } = await controller.client.create({});
      await dead.stop('SIGKILL');
      expect(leftovers(dead, way)).not.toEqual([]);
      const next = await startController(way.options);
      expect(leftovers(dead, way)).toEqual([]);
      expect((await runIn(controller.client, id, 'echo lives')).stdout).toBe('lives\n');
      await controller.client.destroy(id);
      await Promise.all([next.remove(), dead.remove()]);
    });

    it('does not touch the sandboxes of another controller that lives', async () => {
      const rival = await startController({
        ...way.options,
        directory: controller.directory,
        environment: { SERVICE_SANDBOX_URL: `unix:${controller.directory}/other.sock` },
        awaitReady: false,
      });
      expect((await rival.exited).code).toBe(78);
      expect(rival.stderr()).toContain(`another controller (pid ${controller.child.pid})`);
    });
  });

describe('a launch that outlived its controller', leaveOut(ROOTLESS.leftOut), () => {
  it('is ended by the next one, where no cgroup knows it', async () => {
    const { dropTo } = ROOTLESS.options;
    // It waits for its arguments, which never come: like one whose controller was killed while starting it.
    const launch = [BWRAP, '--args', '3', '--seccomp', '4', '--info-fd', '5', '--', 'sleep', '600'];
    const [file = '', ...args] =
      dropTo === undefined
        ? launch
        : ['/usr/bin/setpriv', '--reuid', String(dropTo), '--regid', String(dropTo), '--clear-groups', ...launch];
    const orphan = spawn(file, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
    const ended = once(orphan, 'exit');
    await expect.poll(() => commandLine(orphan.pid ?? 0)).toMatch(/^\S*bwrap --args/);
    const controller = await startController(ROOTLESS.options);
    expect(await ended).toEqual([null, 'SIGKILL']);
    await controller.remove();
  });
});

describe('a controller on a machine where no sandbox is safe', () => {
  const UNSAFE = { SERVICE_SANDBOX_DRIVER: 'bubblewrap', SERVICE_SANDBOX_BWRAP: '/bin/false' };
  const REFUSAL = {
    reason: 'bubblewrap does not start',
    fix: 'see docs/operators/sandbox.md, or choose another driver with SERVICE_SANDBOX_DRIVER',
  };

  it('ends with code 78 and one line that says why and what to do', needs('linux'), async () => {
    const controller = await startController({ environment: UNSAFE, awaitReady: false });
    expect((await controller.exited).code).toBe(78);
    expect(controller.stderr()).toBe(
      `sandbox: runs cannot be executed safely here: ${REFUSAL.reason}. To fix it: ${REFUSAL.fix}.\n`,
    );
    await controller.remove();
  });

  it('stays up when configured to, and refuses every run with the reason and the fix', needs('linux'), async () => {
    const controller = await startController({ environment: { ...UNSAFE, SERVICE_SANDBOX_WHEN_UNSAFE: 'refuse' } });
    try {
      expect(await controller.client.health()).toMatchObject({ ok: false, ...REFUSAL });
      await expect(controller.client.create({})).rejects.toMatchObject({
        code: 'sandbox_unavailable',
        details: REFUSAL,
      });
    } finally {
      await controller.remove();
    }
  });

  it('says that the kernel forbids user namespaces, where it does', leaveOut(sandboxSkipReason), async () => {
    // In a namespace that may make one more, which is then used up by becoming an ordinary user in it.
    const before = `set -- unshare --user --map-root-user bash -c 'echo 1 >/proc/sys/user/max_user_namespaces; exec unshare --user --map-user=1000 "$@"' start "$@"`;
    const controller = await startController({
      before,
      environment: { SERVICE_SANDBOX_DRIVER: 'bubblewrap' },
      awaitReady: false,
    });
    expect((await controller.exited).code).toBe(78);
    expect(controller.stderr()).toMatch(
      /(?:the kernel does not let bubblewrap create|this container does not allow) user namespaces\. To fix it: /,
    );
    await controller.remove();
  });

  it(
    'refuses to serve without cgroups, and says which limits are weak, why, and what to do',
    leaveOut(ROOTLESS.leftOut),
    async () => {
      const controller = await startController({
        ...ROOTLESS.options,
        environment: { SERVICE_SANDBOX_DRIVER: 'bubblewrap', SERVICE_SANDBOX_ALLOW_WEAK: '0' },
        awaitReady: false,
      });
      expect((await controller.exited).code).toBe(78);
      expect(controller.stderr()).toMatch(
        /the limits of bubblewrap are weak here \(memory by watchdog, processes by rlimit and watchdog\): cgroups cannot be created \(E[A-Z]+\)\. To fix it: .*systemd-run --user --scope.*SERVICE_SANDBOX_ALLOW_WEAK=1/,
      );
      expect(leftovers(controller, ROOTLESS)).toEqual([]);
      await controller.remove();
    },
  );
});
