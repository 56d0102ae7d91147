import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../base/errors.ts';
import { readIncoming, type ReadingOptions } from './read-body.ts';

const LIMIT = 1_000;

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** What the server answers to a body: its length, or the code that it was refused with. */
async function send(
  pieces: readonly Buffer[],
  options: ReadingOptions,
  headers: Record<string, string> = {},
): Promise<string> {
  server = createServer((incoming, response) => {
    readIncoming(incoming, LIMIT, options).then(
      (body) => response.end(String(body.length)),
      (error: unknown) => response.end(error instanceof AppError ? error.code : 'a fault'),
    );
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => {
    const sent = request({ port, method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => resolve(text));
    });
    sent.on('error', () => resolve('cut'));
    for (const piece of pieces) sent.write(piece);
    sent.end();
  });
}

const GZIP = { 'content-encoding': 'gzip' };
const whole = Buffer.alloc(LIMIT, 'a');
const more = Buffer.alloc(3 * 1024 * 1024, 'a');

describe('a body off the socket', () => {
  it('is read up to its limit, in one piece or several', async () => {
    expect(await send([whole], {})).toBe('1000');
    expect(await send([whole.subarray(1), whole.subarray(0, 1)], { rest: 'cut' })).toBe('1000');
  });

  it('is refused beyond it, and the sender gets the refusal while still sending', async () => {
    expect(await send([whole, more], {})).toBe('request_too_large');
    expect(await send([more], {}, { 'content-length': String(more.length) })).toBe('request_too_large');
  });

  it('is refused beyond it by closing the connection if requested', async () => {
    expect(await send([whole, more], { rest: 'cut' })).toBe('cut');
  });

  it('is refused as a whole if its content-length is too large, even if the rest is not read', async () => {
    const head = { 'content-length': String(LIMIT + 1), connection: 'close' };
    expect(await send([Buffer.alloc(LIMIT + 1)], { rest: 'cut' }, head)).toBe('request_too_large');
  });

  it('counts the decompressed size', async () => {
    expect(await send([gzipSync(whole)], { compressed: true }, GZIP)).toBe('1000');
    expect(await send([gzipSync(more)], { compressed: true }, GZIP)).toBe('request_too_large');
    expect(await send([whole], { compressed: true }, GZIP)).toBe('invalid_request');
  });

  it('is refused if the callback for its pieces throws', async () => {
    const take = (): void => {
      throw new AppError('rate_limited');
    };
    expect(await send([gzipSync(whole)], { compressed: true, take }, GZIP)).toBe('rate_limited');
  });
});
