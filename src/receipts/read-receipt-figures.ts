// How many receipts and streams there are. Receipts of a stream are numbered without gaps, so its last index gives their
// number, and walking the primary key from stream to stream gives exact counts at a cost that grows with the streams.
// Above a bound the server's statistics are used, and the figures are marked as estimates.
import type { Queryable } from '../store/database.ts';
import { findLastCheckpoint } from './checkpoint.ts';

export interface ReceiptFigures {
  readonly total: number;
  readonly streams: number;
  /** False once there are too many streams to count each time. */
  readonly exact: boolean;
  /** Grows by one for each receipt; for rates only. */
  readonly counter: number;
  readonly lastCheckpointAt: Date | undefined;
}

const WALK_LIMIT = 20_000;

const WALK = `
with recursive s as (
  (select stream from :schema.receipt order by stream limit 1)
  union all
  select (select r.stream from :schema.receipt r where r.stream > s.stream order by r.stream limit 1) from s where s.stream is not null
)
select count(*) as streams, coalesce(sum(h.idx + 1), 0)::bigint as total
from (select stream from s where stream is not null limit $1) s
cross join lateral (select idx from :schema.receipt r where r.stream = s.stream order by idx desc limit 1) h`;

const ESTIMATE = `
select greatest(c.reltuples, 0)::bigint as analysed, pg_stat_get_live_tuples(c.oid) as live, pg_stat_get_tuples_inserted(c.oid) as inserted
from pg_class c where c.oid = ':schema.receipt'::regclass`;

export async function readReceiptFigures(on: Queryable, walkLimit = WALK_LIMIT): Promise<ReceiptFigures> {
  const last = await findLastCheckpoint(on);
  const { rows } = await on.query<{ streams: number; total: number }>(WALK, [walkLimit + 1]);
  const walked = rows[0] ?? { streams: 0, total: 0 };
  if (walked.streams <= walkLimit) return { ...walked, exact: true, counter: walked.total, lastCheckpointAt: last?.at };
  const estimate = (await on.query<{ analysed: number; live: number; inserted: number }>(ESTIMATE)).rows[0];
  return {
    total: Math.max(estimate?.analysed ?? 0, estimate?.live ?? 0, walked.total),
    streams: Math.max(last?.streams ?? 0, walked.streams),
    exact: false,
    counter: estimate?.inserted ?? 0,
    lastCheckpointAt: last?.at,
  };
}
