import type { IncomingMessage } from 'node:http';
import { AppError } from '../../base/errors.ts';
import { isObject, type Loose } from '../../model-providers/codecs/read-fields.ts';
import { parseJson } from './parse-json.ts';
import { encodingOf } from './decode-body.ts';
import { readIncoming } from './read-body.ts';

/** Room for a long context with images in it. */
export const BODY_LIMIT_BYTES = 32 * 1024 * 1024;

/**
 * The body as an object, and its size in bytes. Nothing is kept of a body beyond the limit. `hold` is called for every
 * decompressed piece.
 */
export async function readJsonBody(
  request: IncomingMessage,
  hold?: (bytes: number) => void,
): Promise<{ body: Loose; bytes: number }> {
  const encoding = encodingOf(request);
  const content =
    encoding === undefined
      ? await readIncoming(request, BODY_LIMIT_BYTES)
      : await readIncoming(request, BODY_LIMIT_BYTES, { encoding, hold });
  const body = parseJson(content, { allowZero: true });
  if (!isObject(body)) throw new AppError('invalid_request', { body: 'must be a JSON object' });
  return { body, bytes: content.length };
}

/** The largest possible size of a body: its content-length, or the limit if it has none or is compressed. */
export function announcedBytes(request: IncomingMessage): number {
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
  if (encodingOf(request) !== undefined) return 0;
  if (length !== undefined) return Number(length);
  return coding === undefined ? 0 : BODY_LIMIT_BYTES;
}
