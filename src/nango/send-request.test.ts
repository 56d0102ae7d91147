import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Agent } from 'undici';
import { afterAll, expect, it } from 'vitest';
import { createNangoClient, retryAfter } from './nango-client.ts';
import { NangoError } from './nango-error.ts';
import { sendRequest } from './send-request.ts';

const agent = new Agent();
const closing: (() => void)[] = [() => void agent.destroy()];
afterAll(() => closing.forEach((close) => close()));

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const send = (url: string, change: Partial<Parameters<typeof sendRequest>[1]> = {}) =>
  sendRequest(agent, { method: 'GET', url, headers: {}, timeoutMs: 5_000, maxBytes: 1_000, ...change });
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'none',
    (error: unknown) => (error instanceof NangoError ? error.failure : error),
  );

it('refuses what is larger than the cap: announced, streamed, or once decoded', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/announced')
      return void response.writeHead(200, { 'content-length': '5000' }).end(Buffer.alloc(5_000));
    if (request.url === '/streamed') return void (response.write(Buffer.alloc(600)), response.end(Buffer.alloc(600)));
    return void response
      .writeHead(200, { 'content-encoding': 'br' })
      .end(brotliCompressSync(Buffer.alloc(4 * 1024 * 1024)));
  });
  for (const path of ['/announced', '/streamed', '/bomb']) expect(await failure(send(url + path))).toBe('too_large');
});

it('undoes one known coding, refuses stacked, unknown and broken ones', async () => {
  const url = await serve(
    (request, response) =>
      void response
        .writeHead(200, { 'content-encoding': decodeURIComponent((request.url ?? '').slice(1)) })
        .end(gzipSync('hello')),
  );
  expect((await send(`${url}/gzip`)).body.toString()).toBe('hello');
  for (const coding of ['gzip, gzip', 'zstd', 'br'])
    expect(await failure(send(`${url}/${encodeURIComponent(coding)}`))).toBe('malformed');
});

it('leaves out headers by their spelling, and joins those that came several times', async () => {
  const url = await serve(
    (_, response) =>
      void response
        .writeHead(200, { 'X-RateLimit-Limit': '200', 'x-ratelimit-reset': '7', ETag: 'W/"1"', link: ['<a>', '<b>'] })
        .end(),
  );
  const { headers } = await send(url, { leaveOut: new Set(['X-RateLimit-Limit', 'X-RateLimit-Reset', 'ETag']) });
  expect(headers).toMatchObject({ 'x-ratelimit-reset': '7', link: '<a>, <b>' });
  expect(Object.keys(headers)).not.toContain('etag');
  expect(Object.keys(headers)).not.toContain('x-ratelimit-limit');
});

it('does not follow a redirect', async () => {
  const url = await serve((_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
  expect((await send(url)).status).toBe(302);
});

it('gives up on a server that says nothing, or never ends', async () => {
  const silent = await serve(() => {});
  const endless = await serve((_, response) => void response.write('x'));
  for (const url of [silent, endless]) expect(await failure(send(url, { timeoutMs: 100 }))).toBe('timeout');
  const abort = new AbortController();
  const aborted = failure(send(silent, { signal: abort.signal }));
  abort.abort();
  expect(await aborted).toBe('aborted');
  expect(await failure(send('http://127.0.0.1:1/'))).toBe('unreachable');
});

it('keeps the secret key and the provider’s text out of every failure', async () => {
  const secretKey = 'd2a1b1c0-0000-4000-8000-000000000000';
  const url = await serve(
    (request, response) =>
      void response.writeHead(500, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          error: { code: `with ${request.headers.authorization}`, message: request.headers.authorization },
        }),
      ),
  );
  for (const client of [
    createNangoClient({ url, secretKey }),
    createNangoClient({ url: 'http://127.0.0.1:1', secretKey }),
  ]) {
    const error = await client.listIntegrations().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(NangoError);
    const { stack, message, ...rest } = error as Error;
    expect(`${stack}${message}${JSON.stringify(rest)}${String((error as Error).cause)}`).not.toContain(secretKey);
    await client.close();
  }
});

it.each([
  ['7', 7],
  ['0', 0],
  ['999999', 3_600],
  [new Date(30_000).toUTCString(), 30],
  [new Date(-30_000).toUTCString(), 0],
  ['soon', undefined],
  [undefined, undefined],
])('reads retry-after %s as %s', (header, seconds) => {
  expect(retryAfter(header, 0)).toBe(seconds);
});
