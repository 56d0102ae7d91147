import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findDirectory, readEntries, readRecord, RECORD_BYTES } from '../../documents/attachments/zip-directory.ts';
import { type ArchiveEntry, writeZip } from './write-zip.ts';
import { directoryEntry, endRecords } from './zip-records.ts';

async function* content(...pieces: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}

async function* each(entries: readonly ArchiveEntry[]): AsyncGenerator<ArchiveEntry> {
  yield* entries;
}

async function whole(entries: AsyncIterable<ArchiveEntry>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of writeZip(entries)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

it('has every entry with what was written into it, also nothing', async () => {
  const bytes = await whole(
    each([
      { name: 'a/ä.txt', content: content('one', 'two') },
      { name: 'empty', content: content() },
    ]),
  );
  const directory = findDirectory(bytes);
  expect(directory).toMatchObject({ count: 2 });
  expect([...readEntries(bytes.subarray((directory as { at: number }).at), 2).keys()]).toEqual(['a/ä.txt', 'empty']);
});

it('has more entries than the old form of a directory can count, and further in than it can say', () => {
  const entries = Array.from({ length: 65_600 }, (_, n) =>
    directoryEntry({ name: Buffer.from(`${n}`), crc: 0, packed: 0, size: 0, at: n * 100_000 }),
  );
  const directory = Buffer.concat(entries);
  const end = endRecords({ count: entries.length, bytes: directory.length, at: 6_560_000_000 });
  expect(findDirectory(end)).toEqual({ recordAt: 6_560_000_000 + directory.length });
  expect(readRecord(end.subarray(0, RECORD_BYTES))).toEqual({ count: entries.length, at: 6_560_000_000 });
  expect(readEntries(directory, entries.length).get('65599')).toMatchObject({ headerAt: 6_559_900_000 });
});

it('reads no further than its reader', async () => {
  let read = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      read++;
      yield Buffer.from(Array.from({ length: 64 * 1024 }, () => Math.floor(Math.random() * 256)));
    }
  }
  const archive = writeZip(each([{ name: 'endless', content: endless() }]));
  for (let n = 0; n < 3; n++) await archive.next();
  expect(read).toBeLessThan(20);
  await archive.return(undefined);
});

it('fails as what it reads fails, and does not end as if it were whole', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('x');
    throw new Error('gone');
  }
  await expect(whole(each([{ name: 'x', content: failing() }]))).rejects.toThrow('gone');
});

it('is what Python reads', async ({ skip }) => {
  const directory = mkdtempSync(join(tmpdir(), 'zip-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'a.zip');
  writeFileSync(file, await whole(each([{ name: 'a.txt', content: content('hello') }])));
  try {
    execFileSync('python3', ['-c', '']);
  } catch {
    skip('python3 is not here');
  }
  const script =
    'import sys,zipfile;z=zipfile.ZipFile(sys.argv[1]);assert z.testzip() is None;print(z.read("a.txt").decode())';
  expect(execFileSync('python3', ['-c', script, file]).toString().trim()).toBe('hello');
});
