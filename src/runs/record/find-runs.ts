// Finding runs by id. The service itself sees every run. People see those of workspaces that they are members of, through
// a token that is not bound to another workspace: organization and workspace are predicates of the statement, so a run
// that the caller may not see does not exist for them.
import { AppError } from '../../base/errors.ts';
import type { Queryable } from '../../store/database.ts';
import { type Run, runColumns, type RunRow, toRun } from './run.ts';
import type { RunStatus } from './run-states.ts';

const FIND = `select ${runColumns('j')} from :schema.job j where j.id = $1`;

/** For the service itself: membership is not checked. */
export async function findRun(on: Queryable, id: string): Promise<Run | undefined> {
  const { rows } = await on.query<RunRow>(FIND, [id]);
  return rows[0] && toRun(rows[0]);
}

export interface RunProgress extends Record<string, unknown> {
  id: string;
  status: RunStatus;
  attempt: number;
}

const PROGRESS =
  'select j.id, j.status, j.attempt from unnest($1::text[]) as w (id) cross join lateral (select * from :schema.job k where k.id = w.id limit 1) j';

export async function findProgress(on: Queryable, ids: readonly string[]): Promise<RunProgress[]> {
  return (await on.query<RunProgress>(PROGRESS, [ids])).rows;
}

export interface RunRef {
  readonly id: string;
  readonly organizationId: string;
  readonly workspaceId: string;
}

const REFS =
  'select id, organization_id, workspace_id from :schema.job where id = any($1) and organization_id is not null';

/** The workspaces that runs belong to; the service's own runs belong to none. */
export async function findRunRefs(on: Queryable, ids: readonly string[]): Promise<RunRef[]> {
  const { rows } = await on.query<{ id: string; organization_id: string; workspace_id: string }>(REFS, [ids]);
  return rows.map((row) => ({ id: row.id, organizationId: row.organization_id, workspaceId: row.workspace_id }));
}

export interface RunReader {
  readonly userId: string;
  readonly organizationId?: string | undefined;
  readonly workspaceId?: string | undefined;
}

const GET = `
select ${runColumns('j')} from :schema.job j
join :schema.member_workspace w on w.workspace_id = j.workspace_id and w.organization_id = j.organization_id and w.user_id = $2
where j.id = $1 and j.organization_id = $3 and ($4::text is null or j.workspace_id = $4) and w.is_member`;

export async function getRun(on: Queryable, reader: RunReader, id: string): Promise<Run> {
  return toRun(await getRow<RunRow>(on, GET, reader, id));
}

const MANAGERS = "('owner', 'admin')";
const GET_TO_ABORT = `
select ${runColumns('j')}, j.created_by = $2 or w.role in ${MANAGERS} or w.organization_role in ${MANAGERS} as may_abort from :schema.job j
join :schema.member_workspace w on w.workspace_id = j.workspace_id and w.organization_id = j.organization_id and w.user_id = $2
where j.id = $1 and j.organization_id = $3 and ($4::text is null or j.workspace_id = $4) and (w.is_member or w.organization_role in ${MANAGERS})`;

/** For the person who started it and the owners and admins of its workspace and organization. */
export async function getRunToAbort(on: Queryable, reader: RunReader, id: string): Promise<Run> {
  const row = await getRow<RunRow & { may_abort: boolean | null }>(on, GET_TO_ABORT, reader, id);
  if (row.may_abort !== true) throw new AppError('workspace_authority_required');
  return toRun(row);
}

async function getRow<Row extends RunRow>(on: Queryable, sql: string, reader: RunReader, id: string): Promise<Row> {
  if (id.includes('\0')) throw new AppError('not_found');
  const { rows } = await on.query<Row>(sql, [
    id,
    reader.userId,
    reader.organizationId ?? null,
    reader.workspaceId ?? null,
  ]);
  if (!rows[0]) throw new AppError('not_found');
  return rows[0];
}

const WORKSPACES = `
select r.n, w.workspace_id as id from unnest($1::text[], $2::text[], $3::text[]) with ordinality as r (user_id, organization_id, workspace_id, n)
join :schema.member_workspace w on w.user_id = r.user_id and w.organization_id = r.organization_id and (r.workspace_id is null or w.workspace_id = r.workspace_id)
where w.is_member`;

/** For each reader, the workspaces whose runs they may see, in one statement. */
export async function listReadersWorkspaces(
  on: Queryable,
  readers: readonly RunReader[],
): Promise<ReadonlySet<string>[]> {
  const column = (read: (reader: RunReader) => string | undefined): (string | null)[] =>
    readers.map((reader) => read(reader) ?? null);
  const { rows } = await on.query<{ n: string; id: string }>(WORKSPACES, [
    column(({ userId }) => userId),
    column(({ organizationId }) => organizationId),
    column(({ workspaceId }) => workspaceId),
  ]);
  const lists = readers.map(() => new Set<string>());
  for (const { n, id } of rows) lists[Number(n) - 1]?.add(id);
  return lists;
}
