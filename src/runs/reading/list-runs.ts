// Runs of the caller's workspaces, newest first. Each workspace contributes at most one page through an index, so the cost
// does not grow with the number of runs. A page ends by number and by size.
import { AppError } from '../../base/errors.ts';
import { PAGE_BYTES } from '../../base/page-bytes.ts';
import type { Queryable } from '../../store/database.ts';
import type { RunReader } from '../record/find-runs.ts';
import { type Run, runColumns, type RunRow, toRun } from '../record/run.ts';
import type { RunKind, RunStatus } from '../record/run-states.ts';

export interface RunQuery {
  readonly status?: RunStatus | undefined;
  readonly kind?: RunKind | undefined;
  readonly workspaceId?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** With how many were found, before the page was cut by size. */
interface ListedRow extends RunRow {
  found: number;
}

const DEFAULT_LIMIT = 50;

const listWith = (predicate: string): string => `
select ${runColumns('p')}, p.found from (
select j.*, count(*) over ()::int as found, row_number() over page as number,
       sum(octet_length(j.objective) + coalesce(octet_length(j.result::text), 0)) over page as bytes from (
select j.* from (
  select m.workspace_id as id from :schema.member_workspace m
  where m.user_id = $1 and m.organization_id = $2 and ($3::text is null or m.workspace_id = $3) and m.is_member
) w
cross join lateral (
  select * from :schema.job j where j.workspace_id = w.id and j.organization_id = $2 and j.id < $4 collate "C" and ($6::text is null or j.kind = $6) ${predicate} order by j.id desc limit $5
) j
order by j.id desc limit $5
) j window page as (order by j.id desc)) p
where p.number = 1 or (p.number < $5 and p.bytes <= ${PAGE_BYTES}) order by p.id desc`;

const LIST = listWith('');
const LIST_BY_STATUS = listWith('and j.status = $7');
const CURSOR = /^job_[0-9a-z]{1,60}$/;
const END = 'job_~';

export async function listRuns(
  on: Queryable,
  reader: RunReader,
  { status, kind, workspaceId, cursor, limit = DEFAULT_LIMIT }: RunQuery,
): Promise<{ runs: Run[]; cursor?: string }> {
  if (cursor !== undefined && !CURSOR.test(cursor))
    throw new AppError('invalid_request', { cursor: 'is not a cursor of this list' });
  if (reader.organizationId === undefined) return { runs: [] };
  const values = [
    reader.userId,
    reader.organizationId,
    workspaceId ?? reader.workspaceId ?? null,
    cursor ?? END,
    limit + 1,
    kind ?? null,
  ];
  const { rows } = await (status === undefined
    ? on.query<ListedRow>(LIST, values)
    : on.query<ListedRow>(LIST_BY_STATUS, [...values, status]));
  const last = rows.at(-1);
  return { runs: rows.map(toRun), ...(last && last.found > rows.length ? { cursor: last.id } : {}) };
}
