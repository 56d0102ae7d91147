import type { Queryable } from '../store/database.ts';
import type { Reader } from './assert-readable-stream.ts';
import { OBJECTIVE_MAX_CHARS } from './search-receipts.ts';
import { runOfStream, runStream } from './stream-names.ts';

export interface ListedStream {
  readonly stream: string;
  readonly index: number;
  readonly hash: Buffer;
  /** Of the run whose stream it is, shortened. */
  readonly objective: string | undefined;
}

// The caller's workspaces first, then one probe per workspace stream and one page of each workspace's runs; the
// receipts are never scanned. A stream whose receipts are gone is listed with its last recorded head.
const LIST = `
with own as (
  select m.workspace_id as id from :schema.member_workspace m
  where m.user_id = $1 and m.organization_id = $2 and ($3::text is null or m.workspace_id = $3) and m.is_member
)
select s.stream, s.objective, h.idx, h.hash
from (
  select 'connect/' || own.id as stream, null::text as objective, null::bigint as head_idx, null::bytea as head_hash from own where 'connect/' || own.id collate "C" > $4
  union all
  (select 'jobs/' || j.id, left(j.objective, ${OBJECTIVE_MAX_CHARS}), j.head_idx, j.head_hash from own
   cross join lateral (select id, objective, head_idx, head_hash from :schema.job j where j.workspace_id = own.id and j.organization_id = $2 and j.id > $6 order by j.id limit $5) j
   where $6::text is not null order by j.id limit $5)
) s
cross join lateral (
  select idx, hash from :schema.receipt_last(s.stream)
  union all select s.head_idx, s.head_hash where s.head_idx is not null
  union all select idx, hash from :schema.receipt_noted(s.stream)
  limit 1
) h
order by s.stream collate "C"
limit $5`;

/** The streams the caller may read that have, or are known to have had, a receipt, by name. */
export async function listReadableStreams(
  db: Queryable,
  reader: Reader,
  page: { after: string; limit: number },
): Promise<ListedStream[]> {
  if (reader.organizationId === undefined) return [];
  const { rows } = await db.query<{ stream: string; objective: string | null; idx: number; hash: Buffer }>(LIST, [
    reader.userId,
    reader.organizationId,
    reader.workspaceId ?? null,
    page.after,
    page.limit,
    runsAfter(page.after),
  ]);
  return rows.map((row) => ({
    stream: row.stream,
    index: row.idx,
    hash: row.hash,
    objective: row.objective ?? undefined,
  }));
}

/** The run after which this page of runs starts; null if the page is past all of them. */
function runsAfter(after: string): string | null {
  if (after < runStream('')) return '';
  return runOfStream(after) ?? null;
}
