// An export as it was uploaded, a ZIP archive or a JSON file, read piece by piece: its elements one after the other, and
// the files that messages refer to. Names in the archive are only compared, never used as paths. What comes out of it is
// counted as it is unpacked, whatever the archive says about its sizes.
import { Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { BrokenJsonError, createJsonSplitter, type JsonElement } from '../../base/json-elements.ts';
import { ATTACHMENT_LIMITS } from '../../contract/attachments.ts';
import { FileFault } from '../../documents/attachments/file-fault.ts';
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
} from '../../documents/attachments/zip-directory.ts';

export interface StoredBytes {
  readonly size: number;
  /** At most so many bytes; fewer at the end. */
  read(at: number, length: number): Promise<Buffer>;
}

export interface ExportElement {
  readonly element: JsonElement;
  readonly from: 'projects' | 'conversations';
  /** How much of the export has been read, 0 to 1. */
  readonly progress: number;
}

export interface OpenExport {
  /** Projects first, then conversations, in the same order every time. Throws a `FileFault`. */
  elements(): AsyncGenerator<ExportElement>;
  /** A file of the archive whose name begins with the reference; `too-large` without being read. */
  findFile(reference: string): Promise<{ name: string; content: Buffer } | 'too-large' | undefined>;
}

export const EXPORT_LIMITS = {
  /** Of one conversation. */
  elementBytes: 32 * 1024 * 1024,
  entries: 100_000,
  directoryBytes: 32 * 1024 * 1024,
  /** What may come out of an archive, for each of its bytes; text rarely shrinks to a twentieth. */
  ratio: 200,
  /** Below this the ratio does not matter. */
  freeBytes: 64 * 1024 * 1024,
} as const;

const CHUNK_BYTES = 256 * 1024;

export async function openExport(
  source: StoredBytes,
  freeBytes: number = EXPORT_LIMITS.freeBytes,
): Promise<OpenExport> {
  const start = await source.read(0, 4);
  return start.toString('latin1') === 'PK\u0003\u0004' ? openArchive(source, freeBytes) : openJson(source);
}

function openJson(source: StoredBytes): OpenExport {
  return {
    elements: () =>
      split([
        {
          from: 'conversations',
          totalBytes: source.size,
          open: (passed) => readRange(source, 0, source.size, passed),
        },
      ]),
    findFile: async () => undefined,
  };
}

interface JsonText {
  readonly from: ExportElement['from'];
  /** As it is stored. */
  readonly totalBytes: number;
  open(passed: (bytes: number) => void): AsyncIterable<Buffer>;
}

async function* split(texts: readonly JsonText[]): AsyncGenerator<ExportElement> {
  const totalBytes = texts.reduce((sum, text) => sum + text.totalBytes, 0);
  let readBytes = 0;
  for (const { from, open } of texts) {
    const splitter = createJsonSplitter(EXPORT_LIMITS.elementBytes);
    try {
      for await (const chunk of open((bytes) => (readBytes += bytes)))
        for (const element of splitter.take(chunk))
          yield { element, from, progress: Math.min(1, readBytes / Math.max(1, totalBytes)) };
      splitter.end();
    } catch (error) {
      throw error instanceof BrokenJsonError ? new FileFault('damaged') : error;
    }
  }
}

async function* readRange(
  source: StoredBytes,
  from: number,
  length: number,
  passed: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for (let at = from; at < from + length;) {
    const chunk = await source.read(at, Math.min(CHUNK_BYTES, from + length - at));
    if (chunk.length === 0) throw new FileFault('damaged');
    at += chunk.length;
    passed(chunk.length);
    yield chunk;
  }
}

const CONVERSATIONS = /^conversations(?:[-_]\d+)?\.json$/i;
const PROJECTS = /^projects(?:[-_]\d+)?\.json$/i;
/** Of the exports that are known, without any conversation in them; copies of a Mac's file system beside them. */
const NO_CONVERSATIONS =
  /^(?:\._.*|users?|message_feedback|model_comparisons|shared_conversations|tool_messages|memories|group_chats|shopping|export_manifest|user_settings)(?:\.json)?$/i;

async function openArchive(source: StoredBytes, freeBytes: number): Promise<OpenExport> {
  const entries = await readDirectory(source);
  const files = [...entries]
    .filter(([name]) => !name.endsWith('/') && !name.startsWith('__MACOSX/'))
    .map(([name, entry]) => ({ name, base: name.split(/[/\\]/).at(-1) ?? '', entry }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const conversations = files.filter(({ base }) => CONVERSATIONS.test(base));
  const chosen = [
    ...files.filter(({ base }) => PROJECTS.test(base)),
    // An archive of single conversations has them under any name.
    ...(conversations.length > 0
      ? conversations
      : files.filter(({ base }) => /\.json$/i.test(base) && !PROJECTS.test(base) && !NO_CONVERSATIONS.test(base))),
  ];
  const budget = createBudget(freeBytes + EXPORT_LIMITS.ratio * source.size);
  const byReference = indexFiles(files);
  return {
    elements: () =>
      split(
        chosen.map(({ base, entry }) => ({
          from: PROJECTS.test(base) ? ('projects' as const) : ('conversations' as const),
          totalBytes: entry.packedBytes,
          open: (passed) => unpack(source, entry, budget, passed),
        })),
      ),
    async findFile(reference) {
      const found = byReference(reference);
      if (!found) return undefined;
      const pieces: Buffer[] = [];
      let size = 0;
      for await (const piece of unpack(source, found.entry, budget, () => {})) {
        size += piece.length;
        if (size > ATTACHMENT_LIMITS.bytes) return 'too-large';
        pieces.push(piece);
      }
      return { name: found.base, content: Buffer.concat(pieces) };
    },
  };
}

interface ArchivedFile {
  readonly base: string;
  readonly entry: ZipEntry;
}

/** Files are named after their id: `file-AbC-photo.png`, `file_0012.dat`; the id ends where something else follows it. */
function indexFiles(files: readonly ArchivedFile[]): (reference: string) => ArchivedFile | undefined {
  const sorted = files.toSorted((a, b) => (a.base < b.base ? -1 : 1));
  return (reference) => {
    const name = reference.split(/[/\\]/).at(-1) ?? '';
    if (name === '') return undefined;
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sorted[middle]?.base ?? '') < name) low = middle + 1;
      else high = middle;
    }
    for (let at = low; at < sorted.length; at++) {
      const file = sorted[at];
      if (!file) break;
      if (!file.base.startsWith(name)) return undefined;
      if (!/^[A-Za-z0-9]/.test(file.base.slice(name.length))) return file;
    }
    return undefined;
  };
}

async function readDirectory(source: StoredBytes): Promise<ReadonlyMap<string, ZipEntry>> {
  const tail = await source.read(Math.max(0, source.size - TAIL_BYTES), TAIL_BYTES);
  const found = findDirectory(tail);
  const { count, at } = 'at' in found ? found : readRecord(await source.read(found.recordAt, RECORD_BYTES));
  if (count > EXPORT_LIMITS.entries || source.size - at > EXPORT_LIMITS.directoryBytes + TAIL_BYTES)
    throw new FileFault(count > EXPORT_LIMITS.entries ? 'too_complex' : 'damaged');
  if (at >= source.size) throw new FileFault('damaged');
  return readEntries(await source.read(at, source.size - at), count);
}

/** What has come out of the archive so far. */
function createBudget(most: number): (bytes: number) => void {
  let unpacked = 0;
  return (bytes) => {
    unpacked += bytes;
    if (unpacked > most) throw new FileFault('too_complex');
  };
}

async function* unpack(
  source: StoredBytes,
  { encrypted, method, packedBytes, headerAt }: ZipEntry,
  spend: (bytes: number) => void,
  passed: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  if (encrypted) throw new FileFault('encrypted');
  if (method !== STORED && method !== DEFLATED) throw new FileFault('damaged');
  const start = contentAt(await source.read(headerAt, LOCAL_BYTES), headerAt);
  const packed = readRange(source, start, packedBytes, passed);
  for await (const piece of method === STORED ? packed : inflate(packed)) {
    spend(piece.length);
    yield piece;
  }
}

async function* inflate(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const inflating = createInflateRaw({ chunkSize: CHUNK_BYTES });
  let fault: unknown;
  const feeding = Readable.from(packed).on('error', (error) => {
    fault = error;
    inflating.destroy();
  });
  feeding.pipe(inflating);
  try {
    for await (const piece of inflating) yield piece as Buffer;
  } catch (error) {
    throw fault ?? (isZlibFault(error) ? new FileFault('damaged') : error);
  } finally {
    feeding.destroy();
    inflating.destroy();
  }
}

function isZlibFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^Z_|^ERR_STREAM_PREMATURE_CLOSE$/.test(String(error.code));
}
