// Reads ZIP archives that people upload. The directory at the end decides; entries are inflated only when they are asked
// for, against one budget for the whole archive, so that neither a bomb nor entries that share their bytes can fill the
// memory.
import { inflate, TooManyBytesError } from '../../base/inflate.ts';
import { FileFault } from './file-fault.ts';
import {
  contentAt,
  DEFLATED,
  findDirectory,
  LOCAL_BYTES,
  readEntries,
  readRecord,
  RECORD_BYTES,
  STORED,
  TAIL_BYTES,
  type ZipEntry,
} from './zip-directory.ts';

/** Of the whole archive. XML of this size takes a few seconds to read. */
const MOST_INFLATED_BYTES = 64 * 1024 * 1024;
const MOST_ENTRIES = 10_000;

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

function readDirectory(bytes: Buffer): ReadonlyMap<string, ZipEntry> {
  const found = findDirectory(bytes.subarray(-TAIL_BYTES));
  const { count, at } =
    'at' in found ? found : readRecord(bytes.subarray(found.recordAt, found.recordAt + RECORD_BYTES));
  if (count > MOST_ENTRIES) throw new FileFault('too_complex');
  return readEntries(bytes.subarray(at), count);
}

function unpack(bytes: Buffer, { encrypted, method, packedBytes, headerAt }: ZipEntry, budget: number): Buffer {
  if (encrypted) throw new FileFault('encrypted');
  const start = contentAt(bytes.subarray(headerAt, headerAt + LOCAL_BYTES), headerAt);
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
