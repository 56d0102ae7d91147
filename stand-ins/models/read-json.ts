import type { IncomingMessage } from 'node:http';
import { badRequest, Refusal } from './refusal.ts';

const LARGEST_BODY = 32 * 1024 * 1024;

export async function readJson(request: IncomingMessage): Promise<unknown> {
  const text = await readText(request);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw badRequest('We could not parse the JSON body of your request.');
  }
}

/** Anything over the limit is read and discarded: a client that is still sending does not read the response. */
function readText(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= LARGEST_BODY) return void chunks.push(chunk);
      chunks.length = 0;
      reject(new Refusal('too_large', 'Request exceeds the maximum size of 32 MB.'));
    });
    request.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.once('error', reject);
  });
}
