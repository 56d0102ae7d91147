import type { IncomingMessage } from 'node:http';
import { AppError } from '../../base/errors.ts';
import { isObject, type Loose } from '../../providers/codecs/read-fields.ts';
import { parseJson } from './parse-json.ts';
import { encodingOf } from './decode-body.ts';
import { readIncoming } from './read-body.ts';

/** Room for a long context with images in it. */
export const BODY_LIMIT_BYTES = 32 * 1024 * 1024;

/** The body as an object, and how many bytes it had. Of a body beyond the limit nothing is kept. `hold` hears of every piece that is decompressed. */
export async function readJsonBody(
  request: IncomingMessage,
  hold?: (bytes: number) => void,
): Promise<{ body: Loose; bytes: number }> {
  const encoding = encodingOf(request);
  const content =
    encoding === undefined
      ? await readIncoming(request, BODY_LIMIT_BYTES)
      : await readIncoming(request, BODY_LIMIT_BYTES, { encoding, hold });
  const body = parseJson(content.toString('utf8'), { allowZero: true });
  if (!isObject(body)) throw new AppError('invalid_request', { body: 'must be a JSON object' });
  return { body, bytes: content.length };
}

/** How many bytes a body may turn out to have: what its head announces, or the most there may be. One that is compressed announces nothing. */
export function announcedBytes(request: IncomingMessage): number {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (encodingOf(request) !== undefined) return 0;
  if (length !== undefined) return Number(length);
  return coding === undefined ? 0 : BODY_LIMIT_BYTES;
}
