// The binary framing of AWS's streams, application/vnd.amazon.eventstream: two lengths and their checksum, headers,
// payload, and the checksum of all of it. Every number is big-endian.
import { crc32 } from 'node:zlib';

export interface EventMessage {
  /** Only those that are text, which is all that a model's stream has. */
  readonly headers: ReadonlyMap<string, string>;
  readonly payload: Buffer;
}

const PRELUDE = 12;
const CHECKSUM = 4;
const MOST_BYTES = 24 * 1024 * 1024;

/** Takes the stream chunk by chunk and returns the messages that are complete. Throws if it is damaged. */
export function createEventStreamReader(): (chunk: Buffer) => EventMessage[] {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const messages: EventMessage[] = [];
    let at = 0;
    while (bytes.length - at >= PRELUDE) {
      const length = bytes.readUInt32BE(at);
      if (crc32(bytes.subarray(at, at + 8)) !== bytes.readUInt32BE(at + 8)) throw new Error('damaged prelude');
      if (length < PRELUDE + CHECKSUM || length > MOST_BYTES) throw new Error('impossible length');
      if (bytes.length - at < length) break;
      messages.push(readMessage(bytes.subarray(at, at + length)));
      at += length;
    }
    rest = bytes.subarray(at);
    return messages;
  };
}

function readMessage(bytes: Buffer): EventMessage {
  const end = bytes.length - CHECKSUM;
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32BE(end)) throw new Error('damaged message');
  const payloadAt = PRELUDE + bytes.readUInt32BE(4);
  if (payloadAt > end) throw new Error('impossible length of headers');
  return { headers: readHeaders(bytes.subarray(PRELUDE, payloadAt)), payload: bytes.subarray(payloadAt, end) };
}

const TEXT = 7;
/** The bytes of a value by its type; -1: two bytes say how many. */
const SIZES = [0, 0, 1, 2, 4, 8, -1, -1, 8, 16] as const;

function readHeaders(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at < bytes.length;) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    const name = bytes.toString('utf8', at + 1, nameEnd);
    const type = bytes.readUInt8(nameEnd);
    const size = SIZES[type];
    if (size === undefined) throw new Error('unknown type of header');
    const valueAt = nameEnd + 1 + (size < 0 ? 2 : 0);
    const valueEnd = valueAt + (size < 0 ? bytes.readUInt16BE(nameEnd + 1) : size);
    if (type === TEXT) headers.set(name, bytes.toString('utf8', valueAt, valueEnd));
    at = valueEnd;
  }
  return headers;
}
