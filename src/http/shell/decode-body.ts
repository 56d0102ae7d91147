// Bodies that come compressed. They are decompressed piece by piece and counted as they grow, so that a few bytes which
// would become gigabytes are refused at the limit with no more than that in memory.
import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
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

/** Throws `invalid_request` for an encoding that is not taken. */
export function createDecoder(encoding: string): Transform {
  if (!isKnown(encoding))
    throw new AppError('invalid_request', { 'content-encoding': `must be one of ${Object.keys(DECODERS).join(', ')}` });
  return DECODERS[encoding]();
}

function isKnown(encoding: string): encoding is keyof typeof DECODERS {
  return Object.hasOwn(DECODERS, encoding);
}
