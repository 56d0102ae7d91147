// The driver docker against a real engine, Docker or podman, of the user who runs the tests. It runs when
// SERVICE_TEST_CONTAINER_IMAGE names an image that the engine has, or can fetch, with bash, perl and what Node needs;
// npm run test:deploy builds one and runs it.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pickClientVariables } from '../../src/sandbox/docker/docker-program.ts';
import { leaveOut } from '../support/needs.ts';
import {
  type ControllerOptions,
  type ControllerProcess,
  runIn,
  startController,
  withSandbox,
} from '../support/sandbox/sandbox.ts';

const IMAGE = process.env['SERVICE_TEST_CONTAINER_IMAGE'];
/** As the driver finds it: a client whose engine does not answer is no engine. */
const PROGRAM =
  ['/usr/bin/docker', '/usr/local/bin/docker', '/usr/bin/podman', '/usr/local/bin/podman'].find(
    (path) => existsSync(path) && spawnSync(path, ['ps'], { stdio: 'ignore' }).status === 0,
  ) ?? 'docker';
const CREDENTIAL = 'Bearer sk-never-inside-0123456789';
const MIB = 1024 * 1024;

const FINDS_ENGINE = pickClientVariables(process.env);
const ON_CONTAINERS: ControllerOptions = {
  environment: {
    ...FINDS_ENGINE,
    SERVICE_SANDBOX_DRIVER: 'docker',
    SERVICE_SANDBOX_IMAGE: IMAGE ?? '',
    SERVICE_SANDBOX_ALLOW_WEAK: '0',
  },
};

const containers = (id: string): Promise<string[]> =>
  new Promise((resolve, reject) =>
    execFile(PROGRAM, ['ps', '--all', '--format', '{{.Names}}'], (error, stdout) =>
      error === null ? resolve(stdout.split('\n').filter((name) => name.endsWith(id))) : reject(error),
    ),
  );

describe(
  'a sandbox in a container',
  leaveOut(
    IMAGE === undefined ? 'SERVICE_TEST_CONTAINER_IMAGE names no image of a container engine' : undefined,
    'opt-in',
  ),
  () => {
    let controller: ControllerProcess;
    beforeAll(async () => {
      controller = await startController(ON_CONTAINERS);
    });
    afterAll(() => controller?.remove());

    it('is under limits of the engine', async () => {
      expect(await controller.client.health()).toMatchObject({
        ok: true,
        driver: 'docker',
        limits: { memory: 'engine', processes: 'engine', disk: 'engine', time: 'timer' },
      });
    });

    it('keeps its files in snapshots, and begins with them', async () => {
      await withSandbox(controller.client, {}, async (first) => {
        const chain: Buffer[] = [];
        for (const step of ['mkdir a; echo 1 >a/b; echo 2 >~/c', 'mv a z; echo 3 >z/d; rm ~/c']) {
          await runIn(controller.client, first, step);
          chain.push(await buffer(await controller.client.saveSnapshot(first, { full: chain.length === 0 })));
        }
        await withSandbox(controller.client, {}, async (second) => {
          for (const [index, archive] of chain.entries())
            await controller.client.restoreSnapshot(second, Readable.from([archive]), { last: index === 1 });
          const { stdout } = await runIn(
            controller.client,
            second,
            'find /workspace /home/agent -type f | sort; cat z/*',
          );
          expect(stdout).toBe('/workspace/z/b\n/workspace/z/d\n1\n3\n');
        });
      });
    });

    it('runs commands over one workspace that lasts from one to the next', async () => {
      await withSandbox(controller.client, { env: { GREETING: 'hello' } }, async (id) => {
        await controller.client.writeFile(id, 'in/a.txt', 'placed');
        const first = await runIn(controller.client, id, {
          argv: ['bash', '-c', 'cat; cat in/a.txt; echo "$GREETING $MORE" >b.txt; pwd; id -u'],
          env: { MORE: 'two\nlines' },
          stdin: 'given ',
        });
        expect(first).toMatchObject({
          stdout: 'given placed/workspace\n1000\n',
          stderr: '',
          exit: { code: 0, signal: null },
        });
        expect((await controller.client.readFile(id, '/workspace/b.txt')).toString()).toBe('hello two\nlines\n');
        expect(await controller.client.listFiles(id, '')).toEqual({
          entries: [
            { name: 'b.txt', type: 'file', size: 16 },
            { name: 'in', type: 'directory', size: 0 },
          ],
        });
        expect((await runIn(controller.client, id, 'exit 7')).exit.code).toBe(7);
        expect((await runIn(controller.client, id, { argv: ['/no/such/program'] })).exit.code).toBe(127);
      });
    });

    it('hands variables to the command that would mean something to the client of the engine', async () => {
      const env = {
        DOCKER_HOST: 'unix:///no-such-engine',
        CONTAINER_HOST: 'unix:///no-such-engine',
        LD_PRELOAD: '/no/such/library.so',
        HOME: '/tmp',
        PATH: '/usr/bin:/bin',
        XDG_RUNTIME_DIR: '/no-such-directory',
      };
      await withSandbox(controller.client, {}, async (id) => {
        const { stdout } = await runIn(controller.client, id, {
          argv: [
            'sh',
            '-c',
            'echo "$DOCKER_HOST $CONTAINER_HOST $LD_PRELOAD $HOME $PATH $XDG_RUNTIME_DIR"; env | grep -c _SERVICE_VARIABLE',
          ],
          env,
        });
        expect(stdout).toBe(`${Object.values(env).join(' ')}\n0\n`);
      });
    });

    it('shows nothing of the machine but the tools, which cannot be changed', async () => {
      await mkdir(join(controller.directory, 'tools', 'bin'), { recursive: true });
      await writeFile(join(controller.directory, 'tools', 'bin', 'greet'), '#!/bin/sh\necho hello from a tool\n', {
        mode: 0o755,
      });
      await withSandbox(controller.client, {}, async (id) => {
        expect((await runIn(controller.client, id, '/opt/tools/bin/greet; echo x >>/opt/tools/bin/greet')).stdout).toBe(
          'hello from a tool\n',
        );
        const { stdout } = await runIn(
          controller.client,
          id,
          'ls /proc | grep -c "^[0-9]"; hostname; grep -cv localhost /etc/hosts; ls /run/secrets 2>/dev/null; cat /proc/net/route | wc -l; touch /var/tmp/x /run/x /usr/x /x 2>/dev/null || echo sealed',
        );
        expect(stdout.split('\n').slice(1)).toEqual([
          'sandbox',
          expect.stringMatching(/^[01]$/),
          '1',
          'sealed',
          '',
        ] as unknown[]);
        expect(Number(stdout.split('\n')[0])).toBeLessThan(10);
      });
    });

    it('has no more processes, memory and disk than it may', async () => {
      await withSandbox(
        controller.client,
        { limits: { processes: 32, memoryBytes: 64 * MIB, diskBytes: 16 * MIB } },
        async (id) => {
          const forks = await runIn(controller.client, id, {
            argv: [
              'perl',
              '-e',
              'my $n = 0; while ($n < 1000) { my $p = fork(); last unless defined $p; if (!$p) { sleep 600; exit } $n++ } print $n; kill 9, -1',
            ],
          });
          expect(Number(forks.stdout)).toBeGreaterThan(8);
          expect(Number(forks.stdout)).toBeLessThan(32);
          expect(
            (
              await runIn(controller.client, id, {
                argv: ['perl', '-e', '$x = "x" x (200 * 1024 * 1024); print "had it"'],
              })
            ).exit.code,
          ).toBe(137);
          const written = await runIn(
            controller.client,
            id,
            'for d in /workspace /tmp /home/agent /dev/shm; do head -c 100000000 /dev/zero >$d/full; done; cat /workspace/full /tmp/full /home/agent/full /dev/shm/full | wc -c',
          );
          expect(written.stderr.match(/No space left/g)).toHaveLength(4);
          expect(Number(written.stdout)).toBeGreaterThan(15 * MIB);
          expect(Number(written.stdout)).toBeLessThanOrEqual(16 * MIB);
          await expect(controller.client.writeFile(id, 'more', 'x'.repeat(MIB))).rejects.toThrow('sandbox_disk_full');
        },
      );
    });

    it('ends a command on request or at its deadline, at any moment, and keeps running', async () => {
      await withSandbox(controller.client, {}, async (id) => {
        expect((await runIn(controller.client, id, { argv: ['sleep', '600'], timeoutMs: 1 })).exit.reason).toBe(
          'timeout',
        );
        let reason: string | undefined;
        for await (const event of controller.client.exec(id, {
          argv: ['perl', '-e', 'open my $f, ">", "kept"; close $f; $| = 1; print "begun"; while (1) { fork }'],
        })) {
          if (event.t === 'out') await controller.client.kill(id);
          if (event.t === 'exit') ({ reason } = event);
        }
        expect(reason).toBe('killed');
        expect((await runIn(controller.client, id, 'ls')).stdout).toBe('kept\n');
      });
    });

    it('is gone when it is destroyed, with what runs in it', async () => {
      const { id } = await controller.client.create({});
      const running = runIn(controller.client, id, 'echo begun; sleep 600');
      expect(await containers(id)).toHaveLength(1);
      await controller.client.destroy(id);
      expect((await running).exit.reason).toBe('killed');
      expect(await containers(id)).toEqual([]);
    });

    it('is cleared away at the next start where its controller was killed, and by no other that lives', async () => {
      const first = await startController(ON_CONTAINERS);
      const { id } = await first.client.create({});
      const rival = await startController({
        ...ON_CONTAINERS,
        environment: { ...ON_CONTAINERS.environment, SERVICE_SANDBOX_URL: `unix:${first.directory}/other.sock` },
        directory: first.directory,
        awaitReady: false,
      });
      expect((await rival.exited).code).toBe(78);
      expect(rival.stderr()).toContain(`another controller (pid ${first.child.pid})`);
      await first.stop('SIGKILL');
      expect(await containers(id)).toHaveLength(1);
      const second = await startController({ ...ON_CONTAINERS, directory: first.directory });
      expect(await containers(id)).toEqual([]);
      await second.remove();
    });

    describe('with a way out', () => {
      let upstream: Server;
      const seen: (string | undefined)[] = [];
      beforeAll(async () => {
        upstream = createServer((request, response) => {
          seen.push(request.headers.authorization);
          response.end('answered');
        });
        await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
      });
      afterAll(() => upstream?.close());

      it('reaches the brokers it was given and nothing else, and holds no credential', async () => {
        const { port } = upstream.address() as AddressInfo;
        const ask = (url: string): string =>
          `/opt/service/node -e 'fetch("${url}").then(async (a) => console.log(a.status, await a.text()), (e) => console.log(e.cause?.code ?? e.message))'`;
        const broker = {
          host: 'a.broker',
          target: `http://127.0.0.1:${port}`,
          headers: { authorization: CREDENTIAL },
          paths: ['GET /v1/x'],
        };
        await withSandbox(controller.client, { network: { brokers: [broker] } }, async (id) => {
          expect((await runIn(controller.client, id, ask('http://a.broker/v1/x'))).stdout).toBe('200 answered\n');
          expect((await runIn(controller.client, id, ask('http://a.broker/v1/y'))).stdout).toContain('403');
          expect((await runIn(controller.client, id, ask(`http://127.0.0.1:${port}/`))).stdout).toBe('ECONNREFUSED\n');
          expect(
            (await runIn(controller.client, id, 'env; cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n"')).stdout,
          ).not.toContain('sk-never-inside');
        });
        expect(seen).toEqual([CREDENTIAL]);
      });
    });
  },
);
