// Reads ZIP archives that people upload. The directory at the end decides; entries are inflated only when they are asked
// for, against one budget for the whole archive, so that neither a bomb nor entries that share their bytes can fill the
// memory.
import { inflate, TooManyBytesError } from '../../base/inflate.ts';
import { FileFault } from './file-fault.ts';

/** Of the whole archive. XML of this size takes a few seconds to read. */
const MOST_INFLATED_BYTES = 64 * 1024 * 1024;
const MOST_ENTRIES = 10_000;

const END_BYTES = 22;
const MOST_COMMENT_BYTES = 65_535;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

interface Entry {
  readonly encrypted: boolean;
  readonly method: number;
  readonly packedBytes: number;
  readonly headerAt: number;
}

export interface Zip {
  has(name: string): boolean;
  /** Undefined if there is no such entry. */
  read(name: string): Buffer | undefined;
}

export function openZip(bytes: Buffer, mostInflatedBytes = MOST_INFLATED_BYTES): Zip {
  const entries = readDirectory(bytes);
  let budget = mostInflatedBytes;
  return {
    has: (name) => entries.has(name),
    read(name) {
      const entry = entries.get(name);
      if (!entry) return undefined;
      const content = unpack(bytes, entry, budget);
      budget -= content.length;
      return content;
    },
  };
}

function readDirectory(bytes: Buffer): ReadonlyMap<string, Entry> {
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > MOST_ENTRIES) throw new FileFault('too_complex');
  const entries = new Map<string, Entry>();
  let at = bytes.readUInt32LE(end + 16);
  for (let seen = 0; seen < count; seen++) {
    if (at + ENTRY_BYTES > bytes.length || bytes.toString('latin1', at, at + 4) !== 'PK\u0001\u0002')
      throw new FileFault('damaged');
    const nameBytes = bytes.readUInt16LE(at + 28);
    const name = bytes.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
    entries.set(name, {
      encrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      method: bytes.readUInt16LE(at + 10),
      packedBytes: bytes.readUInt32LE(at + 20),
      headerAt: bytes.readUInt32LE(at + 42),
    });
    at += ENTRY_BYTES + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

/** The record that ends an archive; only a comment may follow it. */
function findEnd(bytes: Buffer): number {
  const earliest = Math.max(0, bytes.length - END_BYTES - MOST_COMMENT_BYTES);
  const at = bytes.lastIndexOf('PK\u0005\u0006', bytes.length - END_BYTES, 'latin1');
  if (at < earliest) throw new FileFault('damaged');
  return at;
}

function unpack(bytes: Buffer, { encrypted, method, packedBytes, headerAt }: Entry, budget: number): Buffer {
  if (encrypted) throw new FileFault('encrypted');
  if (headerAt + LOCAL_BYTES > bytes.length) throw new FileFault('damaged');
  const start = headerAt + LOCAL_BYTES + bytes.readUInt16LE(headerAt + 26) + bytes.readUInt16LE(headerAt + 28);
  if (start + packedBytes > bytes.length) throw new FileFault('damaged');
  const packed = bytes.subarray(start, start + packedBytes);
  if (method === STORED) {
    if (packed.length > budget) throw new FileFault('too_complex');
    return packed;
  }
  if (method !== DEFLATED) throw new FileFault('damaged');
  try {
    return inflate(packed, { raw: true, mostBytes: budget });
  } catch (error) {
    throw new FileFault(error instanceof TooManyBytesError ? 'too_complex' : 'damaged');
  }
}
