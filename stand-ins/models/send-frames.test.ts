import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { Frame } from './reply.ts';
import { sendFrames } from './send-frames.ts';

let server: Server | undefined;
afterEach(() => server?.close().closeAllConnections());

async function listen(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('every frame arrives, in order, and the stream ends', async () => {
  const frames: Frame[] = [
    { event: 'one', data: '1', tokens: 0 },
    { data: '2', tokens: 1 },
  ];
  const url = await listen((_, response) => void sendFrames(response, frames, 1));
  expect(await (await fetch(url)).text()).toBe('event: one\ndata: 1\n\ndata: 2\n\n');
});

test.each([
  { what: 'between two tokens', tokenMs: 60_000, size: 1 },
  { what: 'while it does not read', tokenMs: 0, size: 1024 * 1024 },
])('a client that leaves $what ends the stream', async ({ tokenMs, size }) => {
  const left = Promise.withResolvers<string>();
  function* endless(): Generator<Frame> {
    try {
      yield { data: 'first', tokens: 0 };
      for (;;) yield { data: 'x'.repeat(size), tokens: 1 };
    } finally {
      left.resolve('over');
    }
  }
  const sent = Promise.withResolvers<void>();
  const url = await listen(
    (_, response) => void sendFrames(response, endless(), tokenMs).then(sent.resolve, sent.reject),
  );
  const leaving = new AbortController();
  const response = await fetch(url, { signal: leaving.signal });
  await response.body?.getReader().read();
  leaving.abort();
  expect(await left.promise).toBe('over');
  await sent.promise;
});
