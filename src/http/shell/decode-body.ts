// Compressed bodies. They are decompressed piece by piece and counted as they grow, so a few bytes that would become
// gigabytes are refused at the limit with no more than that in memory.
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { AppError } from '../../base/errors.ts';

const PIECE = { chunkSize: 128 * 1024 } as const;
/** The 8 MiB window that every decoder must support; a larger one would let a sender claim more memory. */
const ZSTD_WINDOW_LOG = 23;

const DECODERS = {
  gzip: () => createGunzip(PIECE),
  'x-gzip': () => createGunzip(PIECE),
  deflate: () => createInflate(PIECE),
  br: () => createBrotliDecompress(PIECE),
  zstd: () => createZstdDecompress({ ...PIECE, params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } }),
} as const satisfies Record<string, () => Transform>;

/** Undefined for a body that is not compressed. */
export function encodingOf({ headers }: IncomingMessage): string | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  return encoding === undefined || encoding === '' || encoding === 'identity' ? undefined : encoding;
}

/** Throws `invalid_request` for an unsupported encoding. */
export function createDecoder(encoding: string): Transform {
  if (!isKnown(encoding))
    throw new AppError('invalid_request', { 'content-encoding': `must be one of ${Object.keys(DECODERS).join(', ')}` });
  return DECODERS[encoding]();
}

function isKnown(encoding: string): encoding is keyof typeof DECODERS {
  return Object.hasOwn(DECODERS, encoding);
}
