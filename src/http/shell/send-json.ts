import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { jsonPieces } from '../../base/json-pieces.ts';

/** A large value is written as fast as the client reads, and never turned into text as a whole; a Buffer is JSON. */
export async function sendJson(response: ServerResponse, value: object): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  if (Buffer.isBuffer(value)) return void response.end(value);
  const pieces = jsonPieces(value);
  const { value: first } = pieces.next();
  const { value: second, done } = pieces.next();
  if (done) return void response.end(first);
  response.write(first);
  response.write(second);
  // A client that leaves is no failure.
  await pipeline(Readable.from(pieces), response).catch(() => {});
}
