import type { IncomingMessage } from 'node:http';
import { AppError } from '../../base/errors.ts';
import { isObject, type Loose } from '../../providers/codecs/read-fields.ts';

/** Room for a long context with images in it. */
export const BODY_LIMIT_BYTES = 32 * 1024 * 1024;

/** The body as an object, and how many bytes it had. A body beyond the limit is not read to its end. */
export async function readJsonBody(request: IncomingMessage): Promise<{ body: Loose; bytes: number }> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > BODY_LIMIT_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_LIMIT_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  const [only] = chunks;
  const text = (chunks.length === 1 && only ? only : Buffer.concat(chunks)).toString('utf8');
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new AppError('invalid_request', { body: 'must be valid JSON' });
  }
  if (!isObject(body)) throw new AppError('invalid_request', { body: 'must be a JSON object' });
  return { body, bytes };
}

function tooLarge(): AppError {
  return new AppError('request_too_large', { limitBytes: BODY_LIMIT_BYTES });
}
