import type { IncomingMessage } from 'node:http';
import { dropRest } from '../../base/drop-rest.ts';
import { AppError } from '../../base/errors.ts';

/** The body, read no further than the limit. Straight from the socket: a web stream costs more than the rest of the request. */
export function readIncoming(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = (): void => {
      dropRest(request);
      reject(new AppError('request_too_large', { limitBytes }));
    };
    if (Number(request.headers['content-length'] ?? 0) > limitBytes) return refuse();
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) refuse();
      else chunks.push(chunk);
    });
    request.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => request.complete || reject(new AppError('invalid_request', { body: 'broke off' })));
  });
}
