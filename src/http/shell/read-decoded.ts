// Bodies that come compressed. They are decompressed piece by piece and counted as they grow, so that a few bytes which
// would become gigabytes are refused at the limit with no more than that in memory.
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { dropRest } from '../../base/drop-rest.ts';
import { AppError } from '../../base/errors.ts';

const PIECE = { chunkSize: 128 * 1024 } as const;
/** The window that every decoder has to take, 8 MiB; a larger one is memory that a sender could ask for. */
const ZSTD_WINDOW_LOG = 23;

const DECODERS = {
  gzip: () => createGunzip(PIECE),
  'x-gzip': () => createGunzip(PIECE),
  deflate: () => createInflate(PIECE),
  br: () => createBrotliDecompress(PIECE),
  zstd: () => createZstdDecompress({ ...PIECE, params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } }),
} as const satisfies Record<string, () => Transform>;

/** Undefined for a body that comes as it is. */
export function encodingOf({ headers }: IncomingMessage): string | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  return encoding === undefined || encoding === '' || encoding === 'identity' ? undefined : encoding;
}

/** The body as it was before it was compressed. `hold` is told of every piece and may throw. */
export function readDecoded(
  request: IncomingMessage,
  limitBytes: number,
  hold: (bytes: number) => void,
): Promise<Buffer> {
  const encoding = encodingOf(request) ?? '';
  if (!isKnown(encoding))
    throw new AppError('invalid_request', { 'content-encoding': `must be one of ${Object.keys(DECODERS).join(', ')}` });
  const decoder = DECODERS[encoding]();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = (error: unknown): void => {
      request.unpipe(decoder);
      decoder.destroy();
      dropRest(request);
      reject(error);
    };
    decoder.on('data', (chunk: Buffer) => {
      size += chunk.length;
      try {
        if (size > limitBytes) throw new AppError('request_too_large', { limitBytes });
        hold(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        refuse(error);
      }
    });
    decoder.once('end', () => resolve(Buffer.concat(chunks)));
    decoder.on('error', () => refuse(new AppError('invalid_request', { body: `is not ${encoding}` })));
    request.once('error', refuse);
    request.once('close', () => request.complete || refuse(new AppError('invalid_request', { body: 'broke off' })));
    request.pipe(decoder);
  });
}

function isKnown(encoding: string): encoding is keyof typeof DECODERS {
  return Object.hasOwn(DECODERS, encoding);
}
