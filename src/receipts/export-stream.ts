// A stream as a file that anyone can verify with the documented rule alone: JSON lines, the first with the stream's name,
// each following one a receipt with its exact text. See docs/verify-receipts.md.
import type { Queryable } from '../store/database.ts';
import { walkStream } from './read-stream.ts';
import { genesisHash } from './receipt.ts';

export async function* exportStream(on: Queryable, stream: string): AsyncGenerator<string> {
  yield `${JSON.stringify({ format: 'receipt-stream/v1', stream, genesis: genesisHash(stream).toString('hex') })}\n`;
  for await (const receipts of walkStream(on, stream)) {
    for (const { index, prev, hash, text } of receipts)
      yield `${JSON.stringify({ index, prev: prev.toString('hex'), hash: hash.toString('hex'), text })}\n`;
  }
}
