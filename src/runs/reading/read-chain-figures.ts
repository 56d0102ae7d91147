// How many receipt streams do not verify. Only the daily verification reads all of them, so its last result is kept with
// its run and read here. A run whose chain was refused since then is known from its row.
import type { Queryable } from '../../store/database.ts';

export interface ChainFigures {
  readonly broken: number;
  /** When the last verification of all streams ended, and how many it read; undefined before the first. */
  readonly verified: { readonly at: Date; readonly streams: number } | undefined;
}

/** Runs of the service itself that are looked through: those of a week, mostly deliveries of mail. */
const RECENT = 20_000;

const LAST = `
select ended_at as at, (result->>'streams')::int as streams, (result->>'faults')::int as faults
from (select task, status, ended_at, result from :schema.job where organization_id is null order by id desc limit ${RECENT}) j
where task = 'verify-chains' and status = 'completed' and jsonb_typeof(result->'faults') = 'number' limit 1`;
const REFUSED = `
select count(*)::int as n from :schema.job where status in ('queued', 'running') and waiting_reason = 'receipt_chain_invalid'`;

export async function readChainFigures(on: Queryable): Promise<ChainFigures> {
  const [last] = (await on.query<{ at: Date; streams: number; faults: number }>(LAST)).rows;
  const [refused] = (await on.query<{ n: number }>(REFUSED)).rows;
  return {
    // The verification found those, too, that were refused before it.
    broken: Math.max(last?.faults ?? 0, refused?.n ?? 0),
    verified: last && { at: last.at, streams: last.streams },
  };
}
