// The only way out: nothing without a rule, and no credential on the inner side.
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LimitMeans } from '../../src/contract/sandbox-limits.ts';
import { bubblewrapDriver } from '../../src/sandbox/bubblewrap/bubblewrap-driver.ts';
import { createController, type SandboxController } from '../../src/sandbox/controller.ts';
import { createBody, type CreateInput, execBody } from '../../src/sandbox/protocol.ts';
import type { SandboxDriver } from '../../src/sandbox/driver.ts';
import { leaveOut, needs } from '../support/needs.ts';
import { BWRAP, sandboxSkipReason } from '../support/sandbox/sandbox.ts';

const CREDENTIAL = 'Bearer sk-never-inside-0123456789';

describe(
  'the way out of a sandbox',
  sandboxSkipReason === undefined ? needs('curl') : leaveOut(sandboxSkipReason),
  () => {
    let directory: string;
    let driver: SandboxDriver;
    let limits: LimitMeans;
    let upstream: Server;
    let origin: string;
    let port: number;
    let seen: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[] = [];
    let finishStream: () => void = () => {};
    /** Stands in for the resolver: one name leads to the upstream of the test, which is on the loopback. */
    const lookup: LookupFunction = (_name, options, done) =>
      options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'service-sandbox-egress-'));
      driver = bubblewrapDriver({ dataDirectory: directory, cgroup: 'service-sandbox', bwrap: BWRAP });
      const probe = await driver.probe();
      if (!probe.ok) throw new Error(probe.reason);
      ({ limits } = probe);
      upstream = createServer((request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString()));
        request.on('end', () => {
          seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
          if (request.url === '/v1/stream') {
            response.write('first\n');
            finishStream = () => response.end('last\n');
          } else if (request.url === '/v1/large') response.end(Buffer.alloc(300_000, 'x'));
          else response.writeHead(200, { 'set-cookie': 'session=1' }).end('answered\n');
        });
      });
      await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
      ({ port } = upstream.address() as AddressInfo);
      origin = `http://127.0.0.1:${port}`;
    });
    afterEach(() => {
      seen = [];
    });
    afterAll(async () => {
      upstream?.close();
      await driver?.close();
      await rm(directory, { recursive: true, force: true });
    });

    async function within<T>(
      input: CreateInput,
      use: (run: (script: string) => Promise<{ stdout: string; stderr: string }>) => Promise<T>,
      resolver?: LookupFunction,
    ): Promise<T> {
      const controller: SandboxController = createController({
        driver,
        limits,
        maxSandboxes: 10,
        log: pino({ level: 'silent' }),
        ...(resolver === undefined ? {} : { lookup: resolver }),
      });
      const { id } = await controller.create(createBody.parse(input));
      try {
        return await use(async (script) => {
          const texts = { 1: '', 2: '' };
          const log = await controller.exec(id, execBody.parse({ argv: ['bash', '-c', script], timeoutMs: 30_000 }));
          for await (const event of log.follow(-1, new AbortController().signal)) {
            if (event.t !== 'out') continue;
            texts[event.fd] += event.d;
            if (event.d.includes('first')) finishStream();
          }
          return { stdout: texts[1], stderr: texts[2] };
        });
      } finally {
        await controller.close();
      }
    }

    const broker = (more: Record<string, unknown> = {}): CreateInput => ({
      network: {
        brokers: [
          {
            host: 'api.broker',
            target: origin,
            headers: { authorization: CREDENTIAL },
            paths: ['/v1/responses', '/v1/stream', '/v1/large'],
            ...more,
          },
        ],
      },
    });

    it('is not there unless a rule opens it', async () => {
      const { stdout } = await within({}, (run) =>
        run(
          `env | grep -i proxy; ls /run/egress; curl -sS -m 3 http://example.org && echo WORKED; curl -sS -m 3 ${origin}/ && echo WORKED; echo end`,
        ),
      );
      expect(stdout).toBe('end\n');
      expect(seen).toEqual([]);
    });

    it('adds the credential of a broker outside, in place of whatever the run sends', async () => {
      const { stdout } = await within(broker(), (run) =>
        run(
          `curl -sSi -H 'authorization: Bearer placeholder' -H 'cookie: a=b' -d hello 'http://api.broker/v1/responses?x=1'; env; cat /proc/*/environ /proc/*/cmdline /run/egress/* 2>/dev/null | tr '\\0' '\\n'`,
        ),
      );
      expect(seen).toEqual([expect.objectContaining({ method: 'POST', url: '/v1/responses?x=1', body: 'hello' })]);
      expect(seen[0]?.headers).toMatchObject({ authorization: CREDENTIAL, host: `127.0.0.1:${port}` });
      expect(seen[0]?.headers.cookie).toBeUndefined();
      expect(stdout).toContain('answered');
      expect(stdout).not.toContain('sk-never-inside');
      expect(stdout).not.toContain('set-cookie');
    });

    it('is found by programs that know nothing of it, through the usual variables', async () => {
      const { stdout } = await within(broker(), (run) =>
        run(
          `/opt/service/node -e "fetch('http://api.broker/v1/responses').then((r) => r.text()).then((t) => console.log(t))"`,
        ),
      );
      expect(stdout).toContain('answered');
    });

    it('leads to no path of a broker but the open ones', async () => {
      const { stdout } = await within(broker(), (run) =>
        run(
          `for p in / /v1 /v1/responses/.. /v1/responses/../keys /v1/responses%2f..%2fkeys //v1/responses /v1/responses/x; do curl -sS --path-as-is -o /dev/null -w '%{http_code} ' "http://api.broker$p"; done; curl -sS -o /dev/null -w '%{http_code}' https://api.broker/v1/responses`,
        ),
      );
      expect(stdout).toMatch(/^(?:40[03] ){7}/);
      expect(seen).toEqual([]);
    });

    it('closes when the requests of a broker are spent', async () => {
      const { stdout } = await within(broker({ maxRequests: 2 }), (run) =>
        run(`for i in 1 2 3; do curl -sS -o /dev/null -w '%{http_code} ' http://api.broker/v1/responses; done`),
      );
      expect(stdout).toBe('200 200 429 ');
      expect(seen).toHaveLength(2);
    });

    it('closes when the bytes of a broker are spent', async () => {
      const { stdout } = await within(broker({ maxBytes: 100_000 }), (run) =>
        run(
          `curl -sS http://api.broker/v1/large | wc -c; curl -sS -o /dev/null -w '%{http_code}' http://api.broker/v1/responses`,
        ),
      );
      const [received = '', status] = stdout.split('\n');
      expect(Number(received)).toBeLessThanOrEqual(100_000);
      expect(status).toBe('429');
    });

    it('passes an answer on while it is being written', async () => {
      const { stdout } = await within(broker(), (run) => run('curl -sSN http://api.broker/v1/stream'));
      expect(stdout).toBe('first\nlast\n');
    });

    it('tunnels to a host and port that a rule names, and to no other', async () => {
      const { stdout } = await within(
        { network: { allow: [`allowed.test:${port}`] } },
        (run) =>
          run(
            `curl -sS --proxytunnel http://allowed.test:${port}/in; curl -sS http://allowed.test:${port}/plain; for u in http://other.test:${port}/ http://allowed.test:${port + 1}/ http://allowed.test/; do curl -sS -m 5 --proxytunnel "$u" && echo WORKED; curl -sS -m 5 "$u" | grep answered; done; echo end`,
          ),
        lookup,
      );
      expect(stdout).toBe('answered\nanswered\nend\n');
      expect(seen.map(({ url }) => url)).toEqual(['/in', '/plain']);
    });

    it('does not lead to a private address, even under a name or number that a rule allows', async () => {
      const { stdout } = await within(
        { network: { allow: [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, '169.254.169.254:80'] } },
        (run) =>
          run(
            `for u in http://localhost:${port}/ http://127.0.0.1:${port}/ http://127.1:${port}/ http://0x7f000001:${port}/ 'http://[::1]:${port}/' http://169.254.169.254/; do NO_PROXY= no_proxy= curl -sS -m 5 --proxytunnel "$u" && echo WORKED; NO_PROXY= no_proxy= curl -sS -m 5 "$u" | grep answered; done; echo end`,
          ),
      );
      expect(stdout).toBe('end\n');
      expect(seen).toEqual([]);
    });

    it('is the only way out where it is there', async () => {
      const { stdout } = await within(broker(), (run) =>
        run(
          `curl -sS -m 3 --noproxy '*' ${origin}/ && echo WORKED; exec 3<>/dev/tcp/127.0.0.1/${port} && echo WORKED; echo end`,
        ),
      );
      expect(stdout).toBe('end\n');
      expect(seen).toEqual([]);
    });
  },
);
