// Archives whose bytes depend on their contents alone: sorted, with one time, without names of users. The format is
// ustar, which every tar reads; npm, Helm and container engines read it too.
import { gzipSync } from 'node:zlib';

export interface TarEntry {
  readonly path: string;
  /** Without content it is a directory. */
  readonly content?: Buffer;
  readonly mode?: number;
  /** Number of the user and the group. */
  readonly owner?: number;
}

const BLOCK = 512;
const END = Buffer.alloc(2 * BLOCK);
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;
const GZIP_SYSTEM_AT = 9;
const GZIP_SYSTEM_UNKNOWN = 255;

export function writeTar(entries: Iterable<TarEntry>, epochSeconds: number): Buffer {
  const sorted = [...withParents([...entries])].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const blocks = sorted.flatMap((entry) => {
    const { content = Buffer.alloc(0) } = entry;
    return [headerOf(entry, epochSeconds), content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
  });
  return Buffer.concat([...blocks, END]);
}

export function writeTarGz(entries: Iterable<TarEntry>, epochSeconds: number): Buffer {
  return compress(writeTar(entries, epochSeconds));
}

/** Says neither when nor on which system it was made. */
export function compress(bytes: Buffer): Buffer {
  const compressed = gzipSync(bytes);
  compressed[GZIP_SYSTEM_AT] = GZIP_SYSTEM_UNKNOWN;
  return compressed;
}

/** Directories that no entry describes; what an entry says about one holds. */
function withParents(entries: readonly TarEntry[]): Iterable<TarEntry> {
  const found = new Map<string, TarEntry>();
  for (const { path } of entries)
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
      found.set(path.slice(0, at), { path: path.slice(0, at) });
  for (const entry of entries) found.set(entry.path, entry);
  return found.values();
}

function headerOf({ path, content, mode = content === undefined ? 0o755 : 0o644, owner = 0 }: TarEntry, time: number) {
  const { name, prefix } = splitName(content === undefined ? `${path}/` : path);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, digits: number): void =>
    void header.write(value.toString(8).padStart(digits, '0'), at);
  header.write(name, 0);
  octal(mode, 100, 7);
  octal(owner, 108, 7);
  octal(owner, 116, 7);
  octal(content?.length ?? 0, 124, 11);
  octal(time, 136, 11);
  header.fill(' ', 148, 156);
  header.write(content === undefined ? '5' : '0', 156);
  header.write('ustar\u{0}00', 257);
  header.write(prefix, 345);
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  );
  header.write('\0', 154);
  return header;
}

/** A long path is cut at a slash; ustar has two fields for it. */
function splitName(path: string): { name: string; prefix: string } {
  if (Buffer.byteLength(path) <= NAME_BYTES) return { name: path, prefix: '' };
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (Buffer.byteLength(name) <= NAME_BYTES && name !== '' && Buffer.byteLength(prefix) <= PREFIX_BYTES)
      return { name, prefix };
  }
  throw new Error(`${path} is too long for an archive`);
}
