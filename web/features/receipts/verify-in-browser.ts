// Verifies a stream without trusting the server's word for it: downloads the export and computes every hash and link here.
import { type ExportHead, type ExportVerdict, verifyExport } from '../../../src/contract/verify-export.ts';
import { MalformedExport } from '../../../src/contract/read-saved-receipts.ts';
import { receiptStrings as strings } from './strings.ts';

/** @param shown the head on the page: the download must reach and contain it. */
export async function verifyInBrowser(download: Response, shown: ExportHead | undefined): Promise<ExportVerdict> {
  // Browsers compute hashes only on pages loaded over HTTPS or from the machine itself.
  if (globalThis.crypto?.subtle === undefined) throw new Error(strings.insecure);
  if (download.body === null) throw new Error(strings.malformed('it is empty'));
  try {
    return await verifyExport(readLines(download.body), shown);
  } catch (error) {
    throw error instanceof MalformedExport ? new Error(strings.malformed(error.message), { cause: error }) : error;
  }
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (done ? decoder.decode() : decoder.decode(value, { stream: true }))).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (done) break;
  }
  if (rest !== '') yield rest;
}
