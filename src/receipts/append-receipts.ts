// The append: one statement, a compare-and-set on the stream's head. The first receipt of each stream is inserted only if
// the receipt before it has the expected hash, and the primary key lets one of two rivals through; the rest of a batch
// is inserted only if its first one was. Streams are taken in a fixed order, so that two batches over the same streams
// cannot deadlock. The previous receipt is read by a scalar subquery, not by EXISTS: on an empty table that may be planned
// as a scan of the whole table, and a prepared plan stays. The statement also records the new head, so that a truncated
// tail is detected. A recorded head that is no longer in the chain stays: the truncation keeps showing, whatever is
// appended after it.
import type { Queryable } from '../store/database.ts';
import type { Head, LinkedReceipt } from './receipt.ts';

const MOVE_FORWARD = `
  on conflict (stream) do update set idx = excluded.idx, hash = excluded.hash
  where known.hash = (select r.hash from :schema.receipt r where r.stream = known.stream and r.idx = known.idx)`;

const APPEND_ONE = `
with appended as (
  insert into :schema.receipt (stream, idx, prev, hash, body)
  select $1, $2::bigint, $3, $4, $5
  where case when $2::bigint = 0 then $3 = :schema.receipt_genesis($1)
        else $3 = (select hash from :schema.receipt where stream = $1 and idx = $2::bigint - 1) end
  on conflict (stream, idx) do nothing
  returning stream, idx, hash
), noted as (
  insert into :schema.receipt_head as known (stream, idx, hash) select stream, idx, hash from appended ${MOVE_FORWARD}
)
select stream from appended`;

const APPEND_MANY = `
with input as (
  select * from unnest($1::text[], $2::bigint[], $3::bytea[], $4::bytea[], $5::text[], $6::boolean[]) as t (stream, idx, prev, hash, body, leads)
), firsts as (
  insert into :schema.receipt (stream, idx, prev, hash, body)
  select i.stream, i.idx, i.prev, i.hash, i.body from input i
  where i.leads
    and case when i.idx = 0 then i.prev = :schema.receipt_genesis(i.stream)
        else i.prev = (select r.hash from :schema.receipt r where r.stream = i.stream and r.idx = i.idx - 1) end
  order by i.stream collate "C"
  on conflict (stream, idx) do nothing
  returning stream
), rest as (
  insert into :schema.receipt (stream, idx, prev, hash, body)
  select i.stream, i.idx, i.prev, i.hash, i.body from input i join firsts using (stream) where not i.leads
), noted as (
  insert into :schema.receipt_head as known (stream, idx, hash)
  select distinct on (i.stream collate "C") i.stream, i.idx, i.hash from input i join firsts using (stream) order by i.stream collate "C", i.idx desc ${MOVE_FORWARD}
)
select stream from firsts`;

/** For the test that their plans use the index, even when they were planned on an empty table. */
export const APPEND_STATEMENTS = [APPEND_ONE, APPEND_MANY] as const;

/**
 * Appends linked receipts, of one stream or many, in one round trip; pass a transaction to commit them together with
 * other changes. Returns the streams that were appended to: a missing one lost the race for its head, and nothing of it
 * was written.
 */
export async function appendReceipts(on: Queryable, receipts: readonly LinkedReceipt[]): Promise<Set<string>> {
  const [only] = receipts;
  if (only === undefined) return new Set();
  if (receipts.length === 1) {
    const { rowCount } = await on.query(APPEND_ONE, [only.stream, only.index, only.prev, only.hash, only.text]);
    return new Set(rowCount === 1 ? [only.stream] : []);
  }
  const led = new Set<string>();
  const leads = receipts.map(({ stream }) => !led.has(stream) && led.add(stream) !== undefined);
  const { rows } = await on.query<{ stream: string }>(APPEND_MANY, [
    receipts.map((r) => r.stream),
    receipts.map((r) => r.index),
    receipts.map((r) => r.prev),
    receipts.map((r) => r.hash),
    receipts.map((r) => r.text),
    leads,
  ]);
  return new Set(rows.map((row) => row.stream));
}

const HEADS = `
select s.stream, h.idx, h.hash from unnest($1::text[]) as s (stream)
cross join lateral (select idx, hash from :schema.receipt r where r.stream = s.stream order by idx desc limit 1) h`;

export async function findHeads(on: Queryable, streams: readonly string[]): Promise<Map<string, Head>> {
  const { rows } = await on.query<{ stream: string; idx: number; hash: Buffer }>(HEADS, [streams]);
  return new Map(rows.map((row) => [row.stream, { index: row.idx, hash: row.hash }]));
}

export async function findHead(on: Queryable, stream: string): Promise<Head | undefined> {
  return (await findHeads(on, [stream])).get(stream);
}

const STORED = `
select s.stream, r.hash from unnest($1::text[], $2::bigint[]) as s (stream, idx)
cross join lateral (select hash from :schema.receipt where stream = s.stream and idx = s.idx limit 1) r`;

/** The streams whose receipt is stored exactly as given: what was committed although its answer was lost. */
export async function findStored(on: Queryable, receipts: readonly LinkedReceipt[]): Promise<Set<string>> {
  const { rows } = await on.query<{ stream: string; hash: Buffer }>(STORED, [
    receipts.map((r) => r.stream),
    receipts.map((r) => r.index),
  ]);
  const wanted = new Map(receipts.map((r) => [r.stream, r.hash]));
  return new Set(rows.filter((row) => wanted.get(row.stream)?.equals(row.hash)).map((row) => row.stream));
}
