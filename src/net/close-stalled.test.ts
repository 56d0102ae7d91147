import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { closeStalled } from './close-stalled.ts';

/** More than the buffers of both ends of a connection take. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'x');
const servers: Server[] = [];
const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
  for (const server of servers.splice(0)) server.close();
});

async function serve(listener: RequestListener, mostMs: number): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  closeStalled(server, mostMs);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Asks, and reads nothing. */
function ask(port: number): Socket {
  const client = connect(port, '127.0.0.1').on('error', () => {});
  clients.push(client);
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  return client.pause();
}

it('closes the connection of an answer that nobody reads, though its client sends more requests', async () => {
  const { promise: answered, resolve } = Promise.withResolvers<ServerResponse>();
  const port = await serve((_request, response) => {
    response.end(LARGE);
    resolve(response);
  }, 120);
  const client = ask(port);
  const sending = setInterval(() => client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'), 20);
  const answer = await answered;
  await once(answer, 'close');
  clearInterval(sending);
  expect(answer.writableFinished).toBe(false);
});

it('closes a stream whose client does not read while more is written to it', async () => {
  const { promise: answered, resolve } = Promise.withResolvers<ServerResponse>();
  const port = await serve((_request, response) => {
    response.write(LARGE);
    const signs = setInterval(() => response.write(': ä\n\n'), 10);
    response.once('close', () => clearInterval(signs));
    resolve(response);
  }, 120);
  ask(port);
  const answer = await answered;
  await once(answer, 'close');
  expect(answer.writableEnded).toBe(false);
});

it('leaves a client alone that reads slowly, and one that is told nothing', async () => {
  const port = await serve((request, response) => {
    if (request.url === '/silent') response.writeHead(200).flushHeaders();
    else response.end(LARGE);
  }, 600);
  const silent = connect(port, '127.0.0.1');
  clients.push(silent);
  silent.write('GET /silent HTTP/1.1\r\nhost: a\r\n\r\n');
  const slow = ask(port);
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  let read = 0;
  // One write of the server, taken in pieces over several times what a stalled client is given.
  slow.on('data', (chunk: Buffer) => {
    read += chunk.length;
    if (read > LARGE.length) return resolve();
    slow.pause();
    setTimeout(() => slow.resume(), 3);
  });
  slow.once('close', () => reject(new Error(`closed after ${read} bytes`)));
  slow.resume();
  await done;
  expect(silent.destroyed).toBe(false);
});
