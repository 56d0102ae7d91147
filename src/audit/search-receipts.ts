// Receipts of all streams that the caller may read, newest first. Each workspace of the caller contributes at most one page,
// read in order of time until it is full: common kinds cost one page, however many receipts there are; a rare kind or tool
// costs a look at the entries of its workspace. What is found is the stored receipt; the entries only say where it is.
import { AppError } from '../base/errors.ts';
import type { LinkedReceipt } from '../receipts/receipt.ts';
import type { Queryable } from '../store/database.ts';
import type { Reader } from './assert-readable-stream.ts';
import { runOfStream } from './stream-names.ts';

export interface ReceiptSearch {
  /** The actor, or the person who started the run. */
  readonly person?: string | undefined;
  readonly app?: string | undefined;
  readonly tool?: string | undefined;
  /** Any of these; all when empty. */
  readonly kinds?: readonly string[];
  readonly workspaceId?: string | undefined;
  /** The first moment that counts. */
  readonly since?: Date | undefined;
  /** The first moment that no longer counts. */
  readonly until?: Date | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface FoundReceipt {
  readonly receipt: LinkedReceipt;
  readonly workspaceId: string;
  readonly person: string | undefined;
  readonly app: string | undefined;
  readonly tool: string | undefined;
  readonly run: { readonly id: string; readonly objective: string; readonly status: string } | undefined;
}

export const OBJECTIVE_MAX_CHARS = 300;
/** Sorts after every moment. */
const END = '~';

const searchWith = (kinds: boolean, filters: string): string => `
select e.workspace_id, e.at, e.stream, e.idx, e.person, e.app, e.tool, r.prev, r.hash, r.body, j.id as run_id, left(j.objective, ${OBJECTIVE_MAX_CHARS}) as objective, j.status
from (
  select m.workspace_id as id from :schema.member_workspace m
  where m.user_id = $1 and m.organization_id = $2 and ($3::text is null or m.workspace_id = $3) and ($4::text is null or m.workspace_id = $4) and m.is_member
) w
cross join lateral (
  select e.* from :schema.receipt_entry e
  where e.workspace_id = w.id and e.at <= $5 and (e.at, e.stream, e.idx) < ($5, $6, $7::bigint) and e.at >= $8 ${kinds ? 'and e.kind = any($10::text[])' : ''} ${filters}
  order by e.at desc, e.stream desc, e.idx desc limit $9
) e
left join lateral :schema.receipt_stored(e.stream, e.idx) r on true
left join :schema.job j on e.stream = 'jobs/' || j.id and j.id = substr(e.stream, 6)
where e.stream not like 'jobs/%' or (j.organization_id = $2 and j.workspace_id = w.id)
order by e.at desc, e.stream desc, e.idx desc limit $9`;

interface FoundRow extends Record<string, unknown> {
  workspace_id: string;
  at: string;
  stream: string;
  idx: number;
  person: string | null;
  app: string | null;
  tool: string | null;
  /** Null when the receipt is gone, which verification finds. */
  prev: Buffer | null;
  hash: Buffer | null;
  body: string | null;
  run_id: string | null;
  objective: string | null;
  status: string | null;
}

export async function searchReceipts(
  db: Queryable,
  reader: Reader,
  search: ReceiptSearch,
): Promise<{ found: FoundReceipt[]; cursor?: string }> {
  const { limit, kinds = [] } = search;
  const place = readCursor(search);
  if (reader.organizationId === undefined) return { found: [] };
  const values: unknown[] = [
    reader.userId,
    reader.organizationId,
    reader.workspaceId ?? null,
    search.workspaceId ?? null,
    place.at,
    place.stream,
    place.index,
    search.since?.toISOString() ?? '',
    limit + 1,
    ...(kinds.length > 0 ? [kinds] : []),
  ];
  let filters = '';
  for (const column of ['person', 'app', 'tool'] as const) {
    const wanted = search[column];
    if (wanted !== undefined) filters += ` and e.${column} = $${values.push(wanted)}`;
  }
  const { rows } = await db.query<FoundRow>(searchWith(kinds.length > 0, filters), values);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    found: page.flatMap((row) => toFound(row) ?? []),
    ...(rows.length > limit && last ? { cursor: writeCursor(last) } : {}),
  };
}

function toFound(row: FoundRow): FoundReceipt | undefined {
  const { stream, idx: index, prev, hash, body: text, run_id: id, objective, status } = row;
  if (prev === null || hash === null || text === null) return undefined;
  return {
    receipt: { stream, index, prev, hash, text },
    workspaceId: row.workspace_id,
    person: row.person ?? undefined,
    app: row.app ?? undefined,
    tool: row.tool ?? undefined,
    run:
      runOfStream(stream) === undefined || id === null || objective === null || status === null
        ? undefined
        : { id, objective, status },
  };
}

interface Position {
  readonly at: string;
  readonly stream: string;
  readonly index: number;
}

const CURSOR = /^([0-9TZ:.-]{0,40})~(-?\d{1,15})~([a-z-]+\/[\w.:-]{1,300})$/;

const writeCursor = ({ at, idx, stream }: FoundRow): string => `${at}~${idx}~${stream}`;

/** Where the page ends, exclusive: at the cursor, or before the moment that no longer counts. */
function readCursor({ cursor, until }: ReceiptSearch): Position {
  if (cursor === undefined) return { at: until?.toISOString() ?? END, stream: '', index: 0 };
  const [, at, index, stream] = CURSOR.exec(cursor) ?? [];
  if (at === undefined || index === undefined || stream === undefined)
    throw new AppError('invalid_request', { cursor: 'is not a cursor of this list' });
  return { at, index: Number(index), stream };
}
