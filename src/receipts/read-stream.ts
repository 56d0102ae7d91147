import type { Queryable } from '../store/database.ts';
import type { LinkedReceipt } from './receipt.ts';

const READ =
  'select idx, prev, hash, body from :schema.receipt where stream = $1 and idx >= $2::bigint order by idx limit $3';

/** Receipts of a stream from an index on, as stored. */
export async function readStream(on: Queryable, stream: string, from: number, limit: number): Promise<LinkedReceipt[]> {
  const { rows } = await on.query<ReceiptRow>(READ, [stream, from, limit]);
  return rows.map((row) => toLinked(stream, row));
}

interface ReceiptRow extends Record<string, unknown> {
  idx: number;
  prev: Buffer;
  hash: Buffer;
  body: string;
}

function toLinked(stream: string, { idx: index, prev, hash, body: text }: ReceiptRow): LinkedReceipt {
  return { stream, index, prev, hash, text };
}

const CONTAINING =
  'select idx, prev, hash, body from :schema.receipt where stream = $1 and position($2 in body) > 0 order by idx desc';

/** Receipts of a stream whose text contains this, newest first. */
export async function readContaining(on: Queryable, stream: string, part: string): Promise<LinkedReceipt[]> {
  const { rows } = await on.query<ReceiptRow>(CONTAINING, [stream, part]);
  return rows.map((row) => toLinked(stream, row));
}

const STREAMS = `
with recursive s as (
  (select stream from :schema.receipt where stream > $1 order by stream limit 1)
  union all
  select (select r.stream from :schema.receipt r where r.stream > s.stream order by r.stream limit 1) from s where s.stream is not null
)
select stream from s where stream is not null limit $2`;

/** Names of streams, through the primary key. */
export async function listStreams(on: Queryable, after: string, limit: number): Promise<string[]> {
  const { rows } = await on.query<{ stream: string }>(STREAMS, [after, limit]);
  return rows.map(({ stream }) => stream);
}

const PAGE = 1000;

/**
 * A whole stream, or the rest of it from an index on, in pages to bound the memory. The next page is read while the
 * caller works on the one before.
 */
export async function* walkStream(
  on: Queryable,
  stream: string,
  from = Number.MIN_SAFE_INTEGER,
): AsyncGenerator<LinkedReceipt[]> {
  let reading = readStream(on, stream, from, PAGE);
  for (;;) {
    const receipts = await reading;
    const last = receipts.at(-1);
    if (last && receipts.length === PAGE) {
      reading = readStream(on, stream, last.index + 1, PAGE);
      // Awaited in the next round, if there is one.
      reading.catch(() => {});
    }
    yield receipts;
    if (!last || receipts.length < PAGE) return;
  }
}
