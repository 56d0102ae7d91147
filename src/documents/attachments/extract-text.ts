// The text of an uploaded file. Documents are read on a thread with limits on its time and memory, because anything may
// be in them; a few at once, the others wait.
import { join } from 'node:path';
import { AppError, type ErrorCode } from '../../base/errors.ts';
import { programDirectory } from '../../process/package-root.ts';
import { createThreadPool, type ThreadPool } from '../../process/thread-pool.ts';
import { DOCUMENT_TYPES, isDocument } from './document-types.ts';
import type { ExtractResult, ExtractRun } from './extract-text-thread.ts';
import type { FileFaultKind } from './file-fault.ts';
import { decodeText, getType } from './sniff-type.ts';
import type { ExtractedText } from './text-collector.ts';

export interface UploadedBytes {
  readonly bytes: Uint8Array;
  /** As detected by content. */
  readonly type: string;
  readonly name: string;
}

const TIME_LIMIT_MS = 30_000;
const MOST_WAITING = 50;
const HEAP_MB = 384;
const BUFFERS_MB = 256;

const CODES = {
  damaged: 'file_damaged',
  encrypted: 'file_encrypted',
  too_complex: 'file_too_complex',
  without_text: 'file_without_text',
} as const satisfies Record<FileFaultKind, ErrorCode>;

let threads: ThreadPool<ExtractRun, ExtractResult> | undefined;

export async function extractText({ bytes, type, name }: UploadedBytes, signal: AbortSignal): Promise<ExtractedText> {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = isDocument(type) ? type : getType(content, name);
  if (found.startsWith('image/')) throw new AppError('attachment_type_unsupported');
  if (isDocument(found)) return runOnThread({ bytes, type: found }, signal);
  const text = decodeText(content) ?? '';
  if (text.trim() === '') throw new AppError('file_without_text');
  return { text };
}

/** Nothing for a document that is encrypted, damaged or too complex: nothing depends on it. */
export async function countPdfPages(bytes: Uint8Array, signal: AbortSignal): Promise<Pick<ExtractedText, 'parts'>> {
  try {
    const { parts } = await runOnThread({ bytes, type: DOCUMENT_TYPES.pdf, onlyPages: true }, signal);
    return parts ? { parts } : {};
  } catch (error) {
    if (error instanceof AppError) return {};
    throw error;
  }
}

async function runOnThread(run: ExtractRun, signal: AbortSignal): Promise<ExtractedText> {
  threads ??= createThreadPool({
    file: programFile(),
    timeLimitMs: TIME_LIMIT_MS,
    mostWaiting: MOST_WAITING,
    memoryMb: HEAP_MB,
    buffersMb: BUFFERS_MB,
    tooSlow: () => new AppError('file_too_complex'),
    tooMany: () => new AppError('rate_limited', { retryAfterSeconds: 10 }),
  });
  const result = await threads.run(run, signal);
  if ('fault' in result) throw new AppError(CODES[result.fault]);
  return result;
}

/** Next to this file in the sources, next to the entry points once bundled. */
function programFile(): string {
  return import.meta.filename.endsWith('.ts')
    ? join(import.meta.dirname, 'extract-text-thread.ts')
    : join(programDirectory(), 'extract-text-thread.js');
}
