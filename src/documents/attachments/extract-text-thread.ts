// The worker thread that takes the text out of documents. Everything here depends on a file that somebody uploaded; the
// parent ends the thread when it takes too long or too much memory.
import { parentPort } from 'node:worker_threads';
import { type ThreadMessage, usedMsOfThread } from '../../process/thread-pool.ts';
import { DOCUMENT_TYPES, type DocumentType } from './document-types.ts';
import { FileFault, type FileFaultKind } from './file-fault.ts';
import { readOpenDocument } from './read-open-document.ts';
import { readSheets } from './read-sheets.ts';
import { readSlides } from './read-slides.ts';
import { readWord } from './read-word.ts';
import { openZip } from './read-zip.ts';
import type { ExtractedText } from './text-collector.ts';

export interface ExtractRun {
  readonly bytes: Uint8Array;
  readonly type: DocumentType;
  /** The text is not wanted: a model gets the document as it is. */
  readonly onlyPages?: boolean | undefined;
}
export type ExtractResult = ExtractedText | { readonly fault: FileFaultKind };

const LIMIT_MS = 30_000;

type Reader = (bytes: Buffer) => ExtractedText | Promise<ExtractedText>;

const READERS: Readonly<Record<DocumentType, Reader>> = {
  [DOCUMENT_TYPES.pdf]: async (bytes) => (await loadPdf()).readPdf(new Uint8Array(bytes)),
  [DOCUMENT_TYPES.docx]: (bytes) => readWord(openZip(bytes)),
  [DOCUMENT_TYPES.xlsx]: (bytes) => readSheets(openZip(bytes)),
  [DOCUMENT_TYPES.pptx]: (bytes) => readSlides(openZip(bytes)),
  [DOCUMENT_TYPES.odt]: (bytes) => readOpenDocument(openZip(bytes), 'text'),
  [DOCUMENT_TYPES.ods]: (bytes) => readOpenDocument(openZip(bytes), 'spreadsheet'),
  [DOCUMENT_TYPES.odp]: (bytes) => readOpenDocument(openZip(bytes), 'presentation'),
};

parentPort?.on('message', (run: ExtractRun) => {
  say({ nextStepMs: LIMIT_MS, usedMs: usedMsOfThread() });
  void read(run).then((result) => say({ result }));
});

/** When first needed: it is larger than everything else here together. */
const loadPdf = () => import('./read-pdf.ts');

async function read({ bytes, type, onlyPages }: ExtractRun): Promise<ExtractResult> {
  try {
    if (onlyPages) return await (await loadPdf()).countPages(bytes);
    const extracted = await READERS[type](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return extracted.text === '' ? { fault: 'without_text' } : extracted;
  } catch (error) {
    // Anything that a parser did not expect.
    return { fault: error instanceof FileFault ? error.kind : 'damaged' };
  }
}

function say(message: ThreadMessage<ExtractResult>): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message);
}
