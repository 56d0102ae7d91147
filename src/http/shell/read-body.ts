// Every body is read here, up to its limit: from the socket, where a web stream would cost more than the rest of the
// request, or from the web framework's Request.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { dropRest } from '../../base/drop-rest.ts';
import { AppError } from '../../base/errors.ts';
import { createDecoder } from './decode-body.ts';
import { parseJson, requireText } from '../../base/parse-json.ts';

export interface ReadingOptions {
  /**
   * What happens to the rest of a refused body. `drop` reads and discards it, so that the sender receives the refusal;
   * `cut` closes the connection, for senders that are ours.
   */
  readonly rest?: 'drop' | 'cut';
  /** How the body is compressed; the limit applies to the decompressed size. */
  readonly encoding?: string | undefined;
  /** Called for every piece; may throw. */
  readonly hold?: ((bytes: number) => void) | undefined;
}

const AS_IT_COMES: ReadingOptions = {};

export function readIncoming(
  request: IncomingMessage,
  limitBytes: number,
  { rest, encoding, hold }: ReadingOptions = AS_IT_COMES,
): Promise<Buffer> {
  const decoder = encoding === undefined ? undefined : createDecoder(encoding);
  const source: Readable = decoder ?? request;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = (error: unknown): void => {
      if (decoder) request.unpipe(decoder);
      decoder?.destroy();
      if (rest === 'cut') request.destroy();
      else dropRest(request);
      reject(error);
    };
    if (!decoder && Number(request.headers['content-length'] ?? 0) > limitBytes) {
      // Nothing has been read yet, so the response can still be sent.
      if (rest !== 'cut') dropRest(request);
      return reject(tooLarge(limitBytes));
    }
    source.on('data', (chunk: Buffer) => {
      size += chunk.length;
      try {
        if (size > limitBytes) throw tooLarge(limitBytes);
        hold?.(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        refuse(error);
      }
    });
    source.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.once('error', refuse);
    request.once('close', () => request.complete || refuse(new AppError('invalid_request', { body: 'is incomplete' })));
    if (!decoder) return;
    decoder.on('error', () => refuse(new AppError('invalid_request', { body: `is not ${encoding}` })));
    request.pipe(decoder);
  });
}

/** How much is read beyond the limit and discarded, so that the sender receives the refusal. */
const DISCARDED_BYTES = 4 * 1024 * 1024;

/**
 * The raw body; nothing is kept of one beyond the limit. If its content-length exceeds the limit, it is refused before
 * its stream is touched: the server then discards the rest itself, which it cannot do once the stream is being read.
 */
export async function readBytes(request: Request, limitBytes: number): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size <= limitBytes) chunks.push(chunk);
    else if (size > limitBytes + DISCARDED_BYTES) throw tooLarge(limitBytes);
  }
  if (size > limitBytes) throw tooLarge(limitBytes);
  return Buffer.concat(chunks);
}

function tooLarge(limitBytes: number): AppError {
  return new AppError('request_too_large', { limitBytes });
}

export async function readText(request: Request, limitBytes: number): Promise<string> {
  return (await readBytes(request, limitBytes)).toString('utf8');
}

/** A JSON body, or the fields of a form if that is the content type. */
export async function readFields(request: Request, limitBytes: number): Promise<unknown> {
  const bytes = await readBytes(request, limitBytes);
  if (!isForm(request)) return bytes.length === 0 ? {} : parseJson(bytes);
  const fields = Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
  requireText(fields);
  return fields;
}

export function isForm(request: Request): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? '');
}
