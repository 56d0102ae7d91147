// The directory at the end of a ZIP archive, which decides what is in it. Pure: the bytes come from memory or from wherever
// an archive is kept. Archives with more than 65,535 entries, and those of writers that do not know their sizes in
// advance, have a second record with larger numbers (ZIP64).
import { FileFault } from './file-fault.ts';

export const STORED = 0;
export const DEFLATED = 8;
/** How much of an archive has to be looked at to find its directory: the record that ends it, and a comment. */
export const TAIL_BYTES = 65_535 + 22 + 20;

const END_BYTES = 22;
const LOCATOR_BYTES = 20;
const END64_BYTES = 56;
const ENTRY_BYTES = 46;
export const LOCAL_BYTES = 30;
const IN_ZIP64 = 0xffff_ffff;
const MANY_IN_ZIP64 = 0xffff;
const ZIP64_FIELD = 1;

export interface ZipEntry {
  readonly encrypted: boolean;
  readonly method: number;
  readonly packedBytes: number;
  readonly headerAt: number;
}

export interface ZipDirectory {
  readonly count: number;
  readonly at: number;
}

/** Where the directory is: known, or in the ZIP64 record at `recordAt`. */
export function findDirectory(tail: Buffer): ZipDirectory | { readonly recordAt: number } {
  const end = tail.lastIndexOf('PK\u0005\u0006', tail.length - END_BYTES, 'latin1');
  if (end < 0 || tail.length < END_BYTES) throw new FileFault('damaged');
  const count = tail.readUInt16LE(end + 10);
  const at = tail.readUInt32LE(end + 16);
  if (count !== MANY_IN_ZIP64 && at !== IN_ZIP64) return { count, at };
  const locator = end - LOCATOR_BYTES;
  if (locator < 0 || tail.toString('latin1', locator, locator + 4) !== 'PK\u0006\u0007') return { count, at };
  return { recordAt: readSize(tail, locator + 8) };
}

export const RECORD_BYTES = END64_BYTES;

export function readRecord(record: Buffer): ZipDirectory {
  if (record.length < END64_BYTES || record.toString('latin1', 0, 4) !== 'PK\u0006\u0006')
    throw new FileFault('damaged');
  return { count: readSize(record, 32), at: readSize(record, 48) };
}

/** `bytes` begins at the directory. */
export function readEntries(bytes: Buffer, count: number): ReadonlyMap<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>();
  let at = 0;
  for (let seen = 0; seen < count; seen++) {
    if (at + ENTRY_BYTES > bytes.length || bytes.toString('latin1', at, at + 4) !== 'PK\u0001\u0002')
      throw new FileFault('damaged');
    const nameBytes = bytes.readUInt16LE(at + 28);
    const extraBytes = bytes.readUInt16LE(at + 30);
    const nameAt = at + ENTRY_BYTES;
    const extra = bytes.subarray(nameAt + nameBytes, nameAt + nameBytes + extraBytes);
    entries.set(bytes.toString('utf8', nameAt, nameAt + nameBytes), {
      encrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      method: bytes.readUInt16LE(at + 10),
      ...readLarge(extra, {
        size: bytes.readUInt32LE(at + 24),
        packedBytes: bytes.readUInt32LE(at + 20),
        headerAt: bytes.readUInt32LE(at + 42),
      }),
    });
    at = nameAt + nameBytes + extraBytes + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

interface Sizes {
  readonly size: number;
  readonly packedBytes: number;
  readonly headerAt: number;
}

/** Numbers that do not fit are in an extra field, in this order, each only if it is needed. */
function readLarge(extra: Buffer, { size, packedBytes, headerAt }: Sizes): Omit<Sizes, 'size'> {
  if (packedBytes !== IN_ZIP64 && headerAt !== IN_ZIP64) return { packedBytes, headerAt };
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== ZIP64_FIELD) continue;
    let next = at + 4 + (size === IN_ZIP64 ? 8 : 0);
    const large = (known: number): number => {
      if (known !== IN_ZIP64) return known;
      next += 8;
      return readSize(extra, next - 8);
    };
    return { packedBytes: large(packedBytes), headerAt: large(headerAt) };
  }
  throw new FileFault('damaged');
}

function readSize(bytes: Buffer, at: number): number {
  if (at + 8 > bytes.length) throw new FileFault('damaged');
  const size = Number(bytes.readBigUInt64LE(at));
  if (!Number.isSafeInteger(size)) throw new FileFault('damaged');
  return size;
}

/** Where an entry's content begins; `header` is what is at `headerAt`. */
export function contentAt(header: Buffer, headerAt: number): number {
  if (header.length < LOCAL_BYTES) throw new FileFault('damaged');
  return headerAt + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
}
