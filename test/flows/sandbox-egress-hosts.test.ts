// Hosts that a run reaches by their own name, on the proxy's real socket: the proxy ends TLS, so that it can judge what is
// asked and put secrets in the place of their placeholders.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, connect as connectPlain, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { buffer } from 'node:stream/consumers';
import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type EgressProxy, openEgressProxy } from '../../src/sandbox/egress/egress-proxy.ts';
import type { BrokerRule } from '../../src/sandbox/egress/egress-rules.ts';
import { EGRESS_ROOTS, EGRESS_SOCKET } from '../../src/sandbox/egress/inside.ts';

const SECRET = 'sk-planted-0123456789';
const PLACEHOLDER = 'secret-token-abcdef0123456789';

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

describe('a host of an environment', () => {
  let upstream: Server;
  let port: number;
  let seen: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[];
  let directory: string;
  let proxy: EgressProxy;

  beforeAll(async () => {
    upstream = createServer((incoming, response) => {
      void (async () => {
        const body = await buffer(incoming);
        const { method = '', url = '', headers } = incoming;
        seen.push({ method, url, headers, body: body.toString() });
        response.setHeader('x-repeated', headers.authorization ?? '-');
        response.end(JSON.stringify(headers));
      })();
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    ({ port } = upstream.address() as AddressInfo);
  });
  beforeEach(async () => {
    seen = [];
    directory = await mkdtemp(join(tmpdir(), 'service-egress-'));
    const rule = (host: string, more: Partial<BrokerRule> = {}): BrokerRule => ({
      host,
      target: `http://127.0.0.1:${port}`,
      headers: {},
      paths: [],
      methods: ['GET', 'HEAD'],
      maxRequests: 100,
      maxBytes: 10_000_000,
      ...more,
    });
    proxy = await openEgressProxy({
      directory,
      rules: {
        allow: [],
        brokers: [
          rule('api.example.com', { fills: true }),
          rule('write.example.com', { fills: true, methods: ['GET', 'POST'] }),
          rule('packages.example.com'),
          rule('private.example.com', { publicOnly: true }),
        ],
        secrets: [{ placeholder: PLACEHOLDER, value: SECRET }],
      },
    });
  });
  afterEach(async () => {
    await proxy.close();
    await rm(directory, { recursive: true, force: true });
  });
  afterAll(() => void upstream.close());

  /** A tunnel, as a client asks for it; undefined if it is refused. */
  const tunnel = async (host: string, to = port): Promise<Socket | undefined> => {
    const socket = connectPlain(join(directory, EGRESS_SOCKET));
    socket.write(`CONNECT ${host}:${to} HTTP/1.1\r\nhost: ${host}:${to}\r\n\r\n`);
    const head = await new Promise<string>((resolve) => socket.once('data', (data: Buffer) => resolve(String(data))));
    if (head.startsWith('HTTP/1.1 200')) return socket;
    socket.destroy();
    return undefined;
  };
  const ask = async (
    host: string,
    { method = 'GET', path = '/', headers = {}, body = '' }: Asked = {},
  ): Promise<Answer> => {
    const socket = await tunnel(host);
    if (!socket) throw new Error('no tunnel');
    const ca = await readFile(join(directory, EGRESS_ROOTS), 'utf8');
    const secured = connect({ socket, servername: host, ca: ca.split(/(?<=-----END CERTIFICATE-----\n)/) });
    await new Promise<void>((resolve, reject) => secured.once('secureConnect', resolve).once('error', reject));
    return new Promise((resolve, reject) => {
      request({ createConnection: () => secured, method, path, headers: { host, ...headers } }, (answer) => {
        void (async () => {
          const text = await buffer(answer);
          secured.destroy();
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text.toString() });
        })();
      })
        .on('error', reject)
        .end(body);
    });
  };

  it('is asked by https for any path, read only, with what the run sends as its own', async () => {
    const answer = await ask('api.example.com', {
      path: '/@types%2fnode?x=1',
      headers: { authorization: 'Bearer own' },
    });
    expect(answer.status).toBe(200);
    expect(seen).toMatchObject([
      { method: 'GET', url: '/@types%2fnode?x=1', headers: { authorization: 'Bearer own' } },
    ]);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
      expect((await ask('api.example.com', { method, body: 'x' })).status, method).toBe(403);
    expect((await ask('api.example.com', { path: '/?_method=DELETE' })).status).toBe(403);
    expect(seen).toHaveLength(1);
    expect((await ask('write.example.com', { method: 'POST', path: '/things', body: 'made' })).status).toBe(200);
    expect(seen[1]).toMatchObject({ method: 'POST', url: '/things', body: 'made' });
  });

  it('gets a secret where the run has a placeholder, in headers only, and never gives it back', async () => {
    const basic = Buffer.from(`user:${PLACEHOLDER}`).toString('base64');
    const answer = await ask('write.example.com', {
      method: 'POST',
      path: `/${PLACEHOLDER}`,
      headers: { authorization: `Bearer ${PLACEHOLDER}`, 'x-other': `Basic ${basic}`, 'accept-encoding': 'gzip' },
      body: PLACEHOLDER,
    });
    expect(seen[0]).toMatchObject({
      url: `/${PLACEHOLDER}`,
      body: PLACEHOLDER,
      headers: {
        authorization: `Bearer ${SECRET}`,
        'x-other': `Basic ${Buffer.from(`user:${SECRET}`).toString('base64')}`,
        'accept-encoding': 'identity',
      },
    });
    const shown = JSON.stringify(answer);
    expect(shown).not.toContain(SECRET);
    expect(shown).not.toContain(Buffer.from(`user:${SECRET}`).toString('base64'));
    expect(answer.headers['x-repeated']).toMatch(/^Bearer \*+$/);
  });

  it('gets no secret when it only has packages', async () => {
    await ask('packages.example.com', {
      headers: { authorization: `Bearer ${PLACEHOLDER}`, 'accept-encoding': 'gzip', range: 'bytes=0-1' },
    });
    expect(seen[0]?.headers).toMatchObject({
      authorization: `Bearer ${PLACEHOLDER}`,
      'accept-encoding': 'gzip',
      range: 'bytes=0-1',
    });
  });

  it('is reached at its own port, at a public address, and no other host at all', async () => {
    expect(await tunnel('api.example.com', 22)).toBeUndefined();
    expect(await tunnel('other.example.com')).toBeUndefined();
    expect((await ask('private.example.com')).status).toBe(403);
    // Inside a tunnel to one host, another one is judged by its own rules.
    expect((await ask('api.example.com', { headers: { host: 'other.example.com' } })).status).toBe(403);
    expect((await ask('api.example.com', { method: 'POST', headers: { host: 'write.example.com' } })).status).toBe(200);
    expect(seen).toHaveLength(1);
  });
});
