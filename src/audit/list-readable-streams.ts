import type { Queryable } from '../store/database.ts';
import type { Reader } from './assert-readable-stream.ts';

export interface ListedStream {
  readonly stream: string;
  readonly index: number;
  readonly hash: Buffer;
}

// The caller's workspaces first, then one probe of each one's stream: never a scan of the receipts.
const LIST = `
select s.stream, h.idx, h.hash
from (
  select 'connect/' || w.id as stream
  from :schema.workspace w
  join :schema.organization_member m on m.organization_id = w.organization_id and m.user_id = $1
  left join :schema.workspace_member wm on wm.workspace_id = w.id and wm.user_id = $1
  where w.organization_id = $2
    and ($3::text is null or w.id = $3)
    and (w.kind <> 'named' or wm.user_id is not null)
) s
cross join lateral (select idx, hash from :schema.receipt r where r.stream = s.stream order by idx desc limit 1) h
where s.stream collate "C" > $4
order by s.stream collate "C"
limit $5`;

/** The streams with at least one receipt that the caller may read, by name. */
export async function listReadableStreams(db: Queryable, reader: Reader, page: { after: string; limit: number }): Promise<ListedStream[]> {
  if (reader.organizationId === undefined) return [];
  const { rows } = await db.query<{ stream: string; idx: number; hash: Buffer }>(LIST, [reader.userId, reader.organizationId, reader.workspaceId ?? null, page.after, page.limit]);
  return rows.map((row) => ({ stream: row.stream, index: row.idx, hash: row.hash }));
}
