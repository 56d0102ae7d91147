// A ZIP archive, written while its entries are read: a chunk at a time, packed beside the event loop.
import { once } from 'node:events';
import { crc32, createDeflateRaw } from 'node:zlib';
import { directoryEntry, endRecords, localHeader, MOST_BYTES, sizesRecord, type WrittenEntry } from './zip-records.ts';

export interface ArchiveEntry {
  /** A path of plain segments. */
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

export async function* writeZip(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Buffer> {
  const written: WrittenEntry[] = [];
  let at = 0;
  for await (const { name: path, content } of entries) {
    const [name, begins] = [Buffer.from(path), at];
    const count = { crc: 0, packed: 0, size: 0 };
    const head = localHeader(name);
    at += head.length;
    yield head;
    for await (const chunk of deflate(content, count)) {
      at += chunk.length;
      yield chunk;
    }
    if (Math.max(count.packed, count.size) > MOST_BYTES) throw new Error(`${path} is too large for an archive`);
    const tail = sizesRecord(count);
    at += tail.length;
    yield tail;
    written.push({ name, ...count, at: begins });
  }
  const directory = written.map(directoryEntry);
  for (const entry of directory) yield entry;
  yield endRecords({ count: written.length, bytes: directory.reduce((sum, { length }) => sum + length, 0), at });
}

async function* deflate(
  content: AsyncIterable<Uint8Array>,
  count: { crc: number; packed: number; size: number },
): AsyncGenerator<Buffer> {
  const packer = createDeflateRaw({ level: 6 });
  const feeding = (async () => {
    for await (const chunk of content) {
      count.crc = crc32(chunk, count.crc);
      count.size += chunk.length;
      if (!packer.write(chunk)) await once(packer, 'drain');
    }
    packer.end();
  })();
  feeding.catch((error: unknown) => packer.destroy(error instanceof Error ? error : new Error(String(error))));
  try {
    for await (const chunk of packer as AsyncIterable<Buffer>) {
      count.packed += chunk.length;
      yield chunk;
    }
    await feeding;
  } finally {
    packer.destroy();
  }
}
