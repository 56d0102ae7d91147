import type { IncomingMessage } from 'node:http';
import { AppError } from '../../base/errors.ts';
import { isObject, type Loose } from '../../providers/codecs/read-fields.ts';
import { parseJson } from '../parse-json.ts';
import { readIncoming } from '../read-incoming.ts';

/** Room for a long context with images in it. */
export const BODY_LIMIT_BYTES = 32 * 1024 * 1024;

/** The body as an object, and how many bytes it had. Of a body beyond the limit nothing is kept. */
export async function readJsonBody(request: IncomingMessage): Promise<{ body: Loose; bytes: number }> {
  const content = await readIncoming(request, BODY_LIMIT_BYTES);
  const body = parseJson(content.toString('utf8'), { allowZero: true });
  if (!isObject(body)) throw new AppError('invalid_request', { body: 'must be a JSON object' });
  return { body, bytes: content.length };
}

/** How many bytes a body may turn out to have: what its head announces, or the most there may be. */
export function announcedBytes({ headers }: IncomingMessage): number {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  return headers['transfer-encoding'] === undefined ? 0 : BODY_LIMIT_BYTES;
}
