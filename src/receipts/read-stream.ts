import type { Queryable } from '../store/database.ts';
import type { LinkedReceipt } from './receipt.ts';

const READ =
  'select idx, prev, hash, body from :schema.receipt where stream = $1 and idx >= $2::bigint order by idx limit $3';

/** Receipts of a stream from an index on, as stored. */
export async function readStream(on: Queryable, stream: string, from: number, limit: number): Promise<LinkedReceipt[]> {
  const { rows } = await on.query<{ idx: number; prev: Buffer; hash: Buffer; body: string }>(READ, [
    stream,
    from,
    limit,
  ]);
  return rows.map((row) => ({ stream, index: row.idx, prev: row.prev, hash: row.hash, text: row.body }));
}

const PAGE = 1000;

/** A whole stream, or the rest of it from an index on, page by page, so that its length does not matter to memory. */
export async function* walkStream(
  on: Queryable,
  stream: string,
  from = Number.MIN_SAFE_INTEGER,
): AsyncGenerator<LinkedReceipt> {
  for (let next = from; ;) {
    const receipts = await readStream(on, stream, next, PAGE);
    yield* receipts;
    const last = receipts.at(-1);
    if (!last || receipts.length < PAGE) return;
    next = last.index + 1;
  }
}
