import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callUpstream, type UpstreamCall, type UpstreamFault, upstreamLimits } from './call-upstream.ts';

let server: Server;
let dispatcher: Agent;
let serve: (response: ServerResponse) => void;

beforeEach(async () => {
  server = createServer((_request, response) => serve(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  dispatcher = new Agent();
});
afterEach(async () => {
  await dispatcher.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

interface Heard {
  readonly pieces: string[];
  readonly ended: Promise<'end' | UpstreamFault>;
  readonly call: UpstreamCall;
}

function ask(take: (piece: string) => boolean = () => true): Heard {
  const pieces: string[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<'end' | UpstreamFault>();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const call = callUpstream(dispatcher, { url, headers: {}, body: '{}' }, upstreamLimits(600).streamed, {
    onHead: () => {},
    onData(chunk) {
      pieces.push(chunk.toString());
      return take(chunk.toString());
    },
    onEnd: () => resolve('end'),
    onFault: resolve,
  });
  return { pieces, ended, call };
}

test('events that arrive together are passed on together, in order and before the end', async () => {
  serve = (response) => {
    for (let event = 0; event < 20; event++) response.write(`data: ${event}\n\n`);
    response.end();
  };
  const { pieces, ended } = ask();
  expect(await ended).toBe('end');
  expect(pieces).toEqual([Array.from({ length: 20 }, (_, event) => `data: ${event}\n\n`).join('')]);
});

test('an event that arrives alone is passed on at once', async () => {
  const { promise: heard, resolve: hear } = Promise.withResolvers<void>();
  serve = (response) => {
    response.write('first');
    void heard.then(() => response.end('last'));
  };
  const { pieces, ended } = ask((piece) => {
    if (piece === 'first') hear();
    return true;
  });
  expect(await ended).toBe('end');
  expect(pieces).toEqual(['first', 'last']);
});

test('data that arrived before a connection broke is passed on before the fault', async () => {
  serve = (response) => void response.write('half', () => response.socket?.end());
  const { pieces, ended } = ask();
  expect(await ended).toBe('broken');
  expect(pieces.join('')).toBe('half');
});

test('a receiver that asks for a pause gets nothing more until it resumes', async () => {
  const megabyte = 'x'.repeat(1024 * 1024);
  serve = (response) => {
    for (let piece = 0; piece < 16; piece++) response.write(megabyte);
    response.end();
  };
  let paused = false;
  let early = 0;
  const { pieces, ended, call } = ask(() => {
    if (paused) early++;
    paused = true;
    setImmediate(() => {
      paused = false;
      call.resume();
    });
    return false;
  });
  expect(await ended).toBe('end');
  expect(pieces.join('').length).toBe(16 * megabyte.length);
  // The last piece may come with the end of the answer.
  expect(early).toBeLessThanOrEqual(1);
});
