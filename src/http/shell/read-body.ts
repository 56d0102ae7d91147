// Every body is read here, up to its limit: from the socket, where a web stream would cost more than the rest of the
// request, or from the web framework's Request. A sender that is silent, or slower than the least rate, is refused.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { dropRest } from '../../net/drop-rest.ts';
import { AppError } from '../../base/errors.ts';
import { BODY_PACE, LARGE_BODY_BYTES } from './admission/limits.ts';
import { type BodySender, watchSenders } from './admission/watch-senders.ts';
import { createDecoder, encodingOf } from './decode-body.ts';

export interface ReadingOptions {
  /**
   * What happens to the rest of a refused body. `drop` reads and discards it, so that the sender receives the refusal;
   * `cut` closes the connection, for senders that are ours.
   */
  readonly rest?: 'drop' | 'cut';
  /** Whether the body may be compressed; the limit applies to the decompressed size. */
  readonly compressed?: boolean | undefined;
  /** Called for every piece, decompressed; may throw. */
  readonly take?: ((chunk: Uint8Array) => void) | undefined;
  /** Awaited once the body turns out to be large, before the rest of it is read; may throw. */
  readonly beforeLarge?: (() => Promise<void>) | undefined;
}

const AS_IT_COMES: ReadingOptions = {};
const senders = watchSenders(BODY_PACE);

export function readIncoming(
  request: IncomingMessage,
  limitBytes: number,
  { rest, compressed, take, beforeLarge }: ReadingOptions = AS_IT_COMES,
): Promise<Buffer> {
  const encoding = compressed === true ? encodingOf(request) : undefined;
  const decoder = encoding === undefined ? undefined : createDecoder(encoding);
  const source: Readable = decoder ?? request;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let checksLarge = beforeLarge !== undefined;
    const sender: BodySender = {
      received: () => request.socket.bytesRead,
      late: () => refuse(new AppError('request_timeout')),
    };
    const refuse = (error: unknown): void => {
      senders.unwatch(sender);
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
    senders.watch(sender);
    source.on('data', (chunk: Buffer) => {
      size += chunk.length;
      try {
        if (size > limitBytes) throw tooLarge(limitBytes);
        take?.(chunk);
        chunks.push(chunk);
      } catch (error) {
        return refuse(error);
      }
      if (!checksLarge || size <= LARGE_BODY_BYTES) return;
      checksLarge = false;
      source.pause();
      sender.excused = true;
      beforeLarge?.().then(() => {
        sender.excused = false;
        return source.resume();
      }, refuse);
    });
    source.once('end', () => {
      senders.unwatch(sender);
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
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
 * The same for the web framework's Request. If its content-length exceeds the limit, it is refused before its stream is
 * touched: the server then discards the rest itself, which it cannot do once the stream is being read.
 */
export async function readRequest(
  request: Request,
  limitBytes: number,
  { take }: Pick<ReadingOptions, 'take'> = AS_IT_COMES,
): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) throw tooLarge(limitBytes);
  if (!request.body) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  let refused: unknown;
  const reader = request.body.getReader();
  const { promise: late, reject } = Promise.withResolvers<never>();
  late.catch(() => {});
  const sender = { received: () => size, late: () => reject(new AppError('request_timeout')) };
  senders.watch(sender);
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) break;
      size += value.length;
      if (size > limitBytes + DISCARDED_BYTES) throw tooLarge(limitBytes);
      if (size > limitBytes || refused !== undefined) continue;
      try {
        take?.(value);
        chunks.push(value);
      } catch (error) {
        // The rest is read and discarded as well: a sender that is cut off never sees the refusal.
        refused = error;
        chunks.length = 0;
      }
    }
  } finally {
    senders.unwatch(sender);
  }
  if (size > limitBytes) throw tooLarge(limitBytes);
  if (refused !== undefined) throw refused;
  return Buffer.concat(chunks);
}

function tooLarge(limitBytes: number): AppError {
  return new AppError('request_too_large', { limitBytes });
}
