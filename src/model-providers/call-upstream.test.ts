import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  callUpstream,
  type UpstreamCall,
  type UpstreamFault,
  upstreamLimits,
  UpstreamRefusal,
  type UpstreamRequest,
} from './call-upstream.ts';

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

function ask(take: (piece: string) => boolean = () => true, more: Partial<UpstreamRequest> = {}): Heard {
  const pieces: string[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<'end' | UpstreamFault>();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const call = callUpstream(dispatcher, { url, headers: {}, body: '{}', ...more }, upstreamLimits(600).streamed, {
    onHead: (status) => void (status === 200 || pieces.push(String(status))),
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

test('a request waits for what authorizes it, and is not sent without', async () => {
  let requests = 0;
  serve = (response) => {
    requests++;
    response.end('answer');
  };
  const everything = (): boolean => true;
  const sent = ask(everything, { authorize: () => Promise.resolve({ authorization: 'x' }) });
  expect([await sent.ended, sent.pieces]).toEqual(['end', ['answer']]);
  const refused = ask(everything, { authorize: () => Promise.reject(new UpstreamRefusal(401)) });
  expect([await refused.ended, refused.pieces]).toEqual(['end', ['401']]);
  const failed = ask(everything, {
    authorize: () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' })),
  });
  expect(await failed.ended).toBe('unreachable');
  const { promise: late, resolve: authorize } = Promise.withResolvers<Record<string, string>>();
  const left = ask(everything, { authorize: () => late });
  left.call.abort('aborted');
  expect(await left.ended).toBe('aborted');
  authorize({});
  await late;
  expect(requests).toBe(1);
});

test('a stream in another framing is reframed, and broken off where it is damaged', async () => {
  serve = (response) => {
    response.writeHead(200, { 'content-type': 'other' }).write('whole');
  };
  const { pieces, ended } = ask((piece) => piece === '', {
    reframe: (type) => (type === 'other' ? (chunk) => Buffer.from(`[${chunk.toString()}]`) : undefined),
  });
  await expect.poll(() => pieces).toEqual(['[whole]']);
  const damaged = ask(() => true, {
    reframe: () => () => {
      throw new Error('damaged');
    },
  });
  expect([await damaged.ended, damaged.pieces]).toEqual(['broken', []]);
  server.closeAllConnections();
  expect(await ended).toBe('broken');
});
