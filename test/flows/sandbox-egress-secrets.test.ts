// The outer end of the way out, on its real socket, before upstreams that repeat whatever they are sent: no credential
// that a broker adds comes back in any form, and a stream is not held up by looking for one.
import { mkdtemp, rm } from 'node:fs/promises';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type EgressProxy, openEgressProxy } from '../../src/sandbox/egress/egress-proxy.ts';
import type { BrokerRule } from '../../src/sandbox/egress/egress-rules.ts';
import { EGRESS_SOCKET } from '../../src/sandbox/egress/inside.ts';

const KEY = 'sk-never-inside-0123456789abcdef';
const BASIC = Buffer.from('x-access-token:ghp_never_inside_42').toString('base64');
const PIECES = /never[-_]inside|bmV2ZXI|0123456789abcdef/;

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

describe('a credential that an upstream repeats', () => {
  let upstream: Server;
  let directory: string;
  let proxy: EgressProxy;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let seen: IncomingMessage[];

  beforeAll(async () => {
    upstream = createServer((incoming, response) => {
      seen.push(incoming);
      answer(incoming, response);
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(async () => {
    seen = [];
    answer = (incoming, response) => void response.end(JSON.stringify(incoming.headers));
    directory = await mkdtemp(join(tmpdir(), 'service-egress-'));
    const target = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    const rule = (host: string, headers: Record<string, string>, more: Partial<BrokerRule> = {}): BrokerRule => ({
      host,
      target,
      headers,
      paths: ['/*'],
      maxRequests: 100,
      maxBytes: 10_000_000,
      ...more,
    });
    proxy = await openEgressProxy({
      directory,
      rules: {
        allow: [],
        brokers: [
          rule('api.broker', { authorization: `Bearer ${KEY}`, 'x-visible': 'shown to all' }),
          rule(
            'git.broker',
            { authorization: `Basic ${BASIC}` },
            { paths: ['GET /*/*/info/refs', 'POST /*/*/git-upload-pack'], queries: ['/graphql'] },
          ),
          rule('named.broker', {}, { publicOnly: true }),
        ],
      },
    });
  });
  afterEach(async () => {
    await proxy.close();
    await rm(directory, { recursive: true, force: true });
  });
  afterAll(() => void upstream.close());

  /** As a program inside asks, through the socket. */
  function ask(
    url: string,
    options: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const call = request(
        {
          socketPath: join(directory, EGRESS_SOCKET),
          path: url,
          method: options.method ?? 'GET',
          headers: { host: new URL(url).host, ...options.headers },
          agent: false,
        },
        (got) => {
          buffer(got).then(
            (bytes) => resolve({ status: got.statusCode ?? 0, headers: got.headers, body: bytes.toString('latin1') }),
            reject,
          );
        },
      );
      call.once('error', reject).end(options.body);
    });
  }

  it('is struck out of the text, which keeps its length', async () => {
    const { status, headers, body } = await ask('http://api.broker/echo');
    expect(seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(status).toBe(200);
    expect(body).not.toMatch(PIECES);
    expect(body).toContain('"x-visible":"shown to all"');
    expect(Number(headers['content-length'])).toBe(body.length);
    expect(JSON.parse(body)).toMatchObject({ authorization: '*'.repeat(`Bearer ${KEY}`.length) });
  });

  it('is struck out of headers and redirects', async () => {
    answer = (_request, response) =>
      void response
        .writeHead(302, {
          location: `https://elsewhere.example/?key=${KEY}`,
          'www-authenticate': `Bearer error="${KEY}"`,
          'x-many': [KEY, 'fine'],
        })
        .end();
    const { status, headers } = await ask('http://api.broker/echo');
    expect(status).toBe(302);
    expect(JSON.stringify(headers)).not.toMatch(PIECES);
    expect(headers.location).toContain('https://elsewhere.example/?key=***');
    expect(headers['x-many']).toContain('fine');
  });

  it('is struck out of both halves of basic authentication', async () => {
    answer = (incoming, response) =>
      void response.end(
        `${incoming.headers.authorization} ${Buffer.from(BASIC, 'base64').toString()} ghp_never_inside_42`,
      );
    const { body } = await ask('http://git.broker/acme/app.git/info/refs?service=git-upload-pack');
    expect(body).not.toMatch(PIECES);
    expect(body).not.toContain(BASIC);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('is not hidden by a coding that was not requested: %s', async (coding, compress) => {
    answer = (_request, response) =>
      void response.writeHead(200, { 'content-encoding': coding }).end(compress(`before ${KEY} after`));
    const { status, headers, body } = await ask('http://api.broker/echo', {
      headers: { 'accept-encoding': 'gzip, br' },
    });
    expect(seen[0]?.headers['accept-encoding']).toBe('identity');
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBeUndefined();
    expect(body).toBe(`before ${'*'.repeat(KEY.length)} after`);
  });

  it('does not pass in a coding that cannot be undone', async () => {
    answer = (_request, response) => void response.writeHead(200, { 'content-encoding': 'zstd' }).end(KEY);
    const { status, body } = await ask('http://api.broker/echo');
    expect(status).toBe(502);
    expect(body).not.toMatch(PIECES);
  });

  it('cannot be requested in parts, nor by a method that echoes the request', async () => {
    await ask('http://api.broker/echo', { headers: { range: 'bytes=0-20', 'if-range': 'x' } });
    expect(seen[0]?.headers).not.toHaveProperty('range');
    expect(seen[0]?.headers).not.toHaveProperty('if-range');
    const { status } = await ask('http://api.broker/echo', { method: 'TRACE' });
    expect(status).toBe(405);
    expect(seen).toHaveLength(1);
  });

  it('is struck out when it arrives in pieces, and what cannot be one is passed on at once', async () => {
    let write: (text: string) => void = () => {};
    let end: () => void = () => {};
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      write = (text) => void response.write(text);
      end = () => void response.end();
      write('data: first\n\n');
    };
    const texts: string[] = [];
    await new Promise<void>((resolve, reject) => {
      const call = request(
        {
          socketPath: join(directory, EGRESS_SOCKET),
          path: 'http://api.broker/stream',
          headers: { host: 'api.broker' },
          agent: false,
        },
        (got) => {
          got.setEncoding('utf8');
          got.on('data', (text: string) => {
            texts.push(text);
            // The upstream goes on only once the first event is here: were it held back, this would never end.
            if (texts.length === 1) write(`data: ${KEY.slice(0, 12)}`);
            if (texts.length === 2) {
              write(`${KEY.slice(12)}\n\n`);
              end();
            }
          });
          got.once('end', resolve).once('error', reject);
        },
      );
      call.once('error', reject).end();
    });
    expect(texts.join('')).toBe(`data: first\n\ndata: ${'*'.repeat(KEY.length)}\n\n`);
  });

  it('goes with the methods and steps that a rule opens, and no others', async () => {
    const statuses = [];
    for (const [method, path] of [
      ['POST', '/acme/app.git/git-upload-pack'],
      ['POST', '/acme/app.git/git-receive-pack'],
      ['POST', '/acme/app.git/info/refs'],
      ['GET', '/user'],
    ] as const) {
      statuses.push((await ask(`http://git.broker${path}`, { method })).status);
    }
    expect(statuses).toEqual([200, 403, 403, 403]);
    expect(seen).toHaveLength(1);
  });

  it('goes with a GraphQL request that reads, and with none that writes', async () => {
    const post = (query: string): Promise<Answer> =>
      ask('http://git.broker/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
    answer = (incoming, response) => void buffer(incoming).then((bytes) => response.end(bytes));
    expect(await post('query { viewer { login } }')).toMatchObject({
      status: 200,
      body: JSON.stringify({ query: '{\n  viewer {\n    login\n  }\n}' }),
    });
    expect(await post('mutation { x }')).toMatchObject({ status: 403 });
    expect((await ask('http://git.broker/graphql')).status).toBe(403);
    expect(seen).toHaveLength(1);
  });

  it('goes with no GraphQL request that another reader could take for a mutation', async () => {
    const post = (body: string, headers: Record<string, string> = {}, path = '/graphql'): Promise<Answer> =>
      ask(`http://git.broker${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
    const reads = JSON.stringify({ query: '{ a }' });
    for (const body of [
      JSON.stringify({ query: '#\rmutation { x }' }),
      '\uFEFF{"query":"{ a }"}',
      '[{"query":"{ a }"}]',
      '{"query":"{ a }","extensions":{"persistedQuery":{"sha256Hash":"a"}}}',
    ])
      expect((await post(body)).status).toBe(403);
    for (const path of ['/graphql?query=mutation%7Bx%7D', '/graphql/', '/GraphQL', '/%67raphql'])
      expect((await post(reads, {}, path)).status).toBe(403);
    expect(await post(gzipSync(reads).toString('latin1'), { 'content-encoding': 'gzip' })).toMatchObject({
      status: 403,
    });
    expect(seen).toHaveLength(0);
    // However the run describes it, it arrives as what it was judged as.
    answer = (incoming, response) =>
      void buffer(incoming).then((bytes) =>
        response.end(`${incoming.headers['content-type']} ${incoming.headers['content-encoding']} ${bytes}`),
      );
    for (const type of ['application/graphql', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16'])
      expect(await post(reads, { 'content-type': type, 'content-encoding': 'identity' })).toMatchObject({
        status: 200,
        body: `application/json undefined ${JSON.stringify({ query: '{\n  a\n}' })}`,
      });
  });

  it('goes with no request whose method something else overrules', async () => {
    const path = '/acme/app.git/info/refs';
    const overruling = {
      'x-http-method-override': 'DELETE',
      'X-HTTP-Method': 'PUT',
      'x-method-override': 'PATCH',
      x_http_method_override: 'DELETE',
      'x-original-url': '/user',
      'x-rewrite-url': '/user',
      'x-forwarded-prefix': '/user',
    };
    expect(
      (
        await ask(`http://git.broker${path}?service=git-upload-pack`, {
          headers: { ...overruling, 'git-protocol': 'version=2' },
        })
      ).status,
    ).toBe(200);
    expect(Object.keys(seen[0]?.headers ?? {}).filter((name) => /method|url|prefix/.test(name))).toEqual([]);
    expect(seen[0]?.headers['git-protocol']).toBe('version=2');
    expect((await ask(`http://git.broker${path}?_method=DELETE`)).status).toBe(403);
    expect(
      (
        await ask('http://git.broker/acme/app.git/git-upload-pack', {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: '_method=delete',
        })
      ).status,
    ).toBe(403);
    expect(seen).toHaveLength(1);
  });

  it('goes to no private address that a user named as its target', async () => {
    expect((await ask('http://named.broker/')).status).toBe(403);
    expect(seen).toHaveLength(0);
  });

  it('leaves an answer without a body alone', async () => {
    answer = (_request, response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': '999' }).end();
    expect(await ask('http://api.broker/echo', { method: 'HEAD' })).toMatchObject({
      status: 200,
      body: '',
      headers: { 'content-encoding': 'gzip' },
    });
    answer = (_request, response) => void response.writeHead(304, { 'content-encoding': 'gzip', etag: '"1"' }).end();
    expect(await ask('http://api.broker/echo')).toMatchObject({ status: 304, body: '' });
  });
});
