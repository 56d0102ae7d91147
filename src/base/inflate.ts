// Inflates within a limit, in JavaScript alone. Node's own zlib must not be used on a thread that may be ended at any
// moment: ended while a handle is being made, it takes the whole process with it.
import { Inflate } from 'pako';

export interface InflateOptions {
  /** Without the header and checksum of zlib, as in a ZIP archive. */
  readonly raw: boolean;
  readonly mostBytes: number;
}

export class TooManyBytesError extends Error {}

/** What follows the end of the stream is left alone. */
export function inflate(packed: Uint8Array, { raw, mostBytes }: InflateOptions): Buffer {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const stream = new Inflate({ raw, chunkSize: 32 * 1024 });
  stream.onData = (piece) => {
    length += piece.length;
    if (length > mostBytes) throw new TooManyBytesError(`more than ${mostBytes} bytes`);
    pieces.push(piece);
  };
  if (!stream.push(packed, true) || !stream.ended) throw new Error(stream.msg || 'the stream has no end');
  return Buffer.concat(pieces, length);
}
