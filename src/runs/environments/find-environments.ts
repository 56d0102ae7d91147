// Finding environments. People see those of workspaces that they see, through a token that is not bound to another one:
// organization and workspace are predicates of the statement, so one that the caller may not see does not exist for them.
import { AppError } from '../../base/errors.ts';
import { ENVIRONMENT_NAME } from '../../contract/environments/environment-rules.ts';
import type { Queryable } from '../../store/database.ts';
import { cutPage, type PageRequest, rowsToRead, withinBytes } from '../../tenancy/paging.ts';
import { seesWorkspace } from '../../tenancy/workspaces/sees-workspace.ts';
import type { WorkspaceRef } from '../../tenancy/workspaces/workspace-ref.ts';
import type { RunReader } from '../record/find-runs.ts';
import type { Run } from '../record/run.ts';
import {
  ENVIRONMENT_COLUMNS,
  type EnvironmentRow,
  type RepositoryWish,
  type RunEnvironment,
  toEnvironment,
} from './environment.ts';

const MANAGERS = "('owner', 'admin')";

/** Of the row of `member_workspace`. */
export const MANAGES = `coalesce(w.role in ${MANAGERS} or w.organization_role in ${MANAGERS}, false)`;

/** What reader $1 of organization $2 sees, through a token of workspace $3 if it is bound to one. */
const SEEN = `w.workspace_id = e.workspace_id and w.organization_id = e.organization_id and w.user_id = $1
   and e.organization_id = $2 and ($3::text is null or e.workspace_id = $3) and ${seesWorkspace('w')}`;

const SELECT = `select ${ENVIRONMENT_COLUMNS}, ${MANAGES} as editable from :schema.environment e join :schema.member_workspace w on ${SEEN}`;

export interface SeenEnvironment {
  readonly environment: RunEnvironment;
  /** Whether the reader may change and delete it. */
  readonly editable: boolean;
}

type SeenRow = EnvironmentRow & { editable: boolean };

const LIST = withinBytes(
  `${SELECT} where ($4::text is null or e.workspace_id = $4) and ($5::text is null or (e.name, e.id) > ($5, $6)) order by e.name, e.id limit $7`,
  { order: 'q.name, q.id', bytes: 'octet_length(q.setup) + octet_length(q.variables::text)' },
);

export interface EnvironmentQuery extends PageRequest {
  readonly workspaceId?: string | undefined;
}

/** By name; a page ends by number and by size. */
export async function listEnvironments(
  on: Queryable,
  { userId, organizationId, workspaceId }: RunReader,
  query: EnvironmentQuery,
): Promise<{ environments: SeenEnvironment[]; cursor?: string }> {
  const after = readCursor(query.cursor);
  const { rows: read } = await on.query<SeenRow & { found: number }>(LIST, [
    userId,
    organizationId ?? null,
    workspaceId ?? null,
    query.workspaceId ?? null,
    after?.name ?? null,
    after?.id ?? null,
    rowsToRead(query),
  ]);
  const cursorOf = ({ name, id }: SeenRow): string => Buffer.from(`${name}|${id}`).toString('base64url');
  const { rows, cursor } = cutPage(read, query, cursorOf, read[0]?.found);
  return { environments: rows.map(toSeen), ...(cursor === undefined ? {} : { cursor }) };
}

function readCursor(cursor: string | undefined): { name: string; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const [name = '', id = '', ...more] = Buffer.from(cursor, 'base64url').toString().split('|');
  if (more.length > 0 || !ENVIRONMENT_NAME.test(name) || !/^env_[0-9a-z]{1,60}$/.test(id))
    throw new AppError('invalid_request', { cursor: 'is not a cursor of this list' });
  return { name, id };
}

const GET = `${SELECT} where e.workspace_id = $4 and e.name = $5`;

export async function getEnvironment(
  on: Queryable,
  { userId, organizationId, workspaceId }: RunReader,
  { workspace, name }: { readonly workspace: string; readonly name: string },
): Promise<SeenEnvironment> {
  const { rows } = await on.query<SeenRow>(GET, [userId, organizationId ?? null, workspaceId ?? null, workspace, name]);
  if (!rows[0]) throw new AppError('environment_not_found', { environment: name });
  return toSeen(rows[0]);
}

function toSeen(row: SeenRow): SeenEnvironment {
  return { environment: toEnvironment(row), editable: row.editable };
}

const IN_WORKSPACE = `from :schema.environment e where e.organization_id = $1 and e.workspace_id = $2 and e.name = $3`;

/** Of a run or of what starts one: membership in the workspace has been checked. */
export async function findEnvironment(
  on: Queryable,
  { organizationId, workspaceId }: WorkspaceRef,
  name: string,
): Promise<RunEnvironment | undefined> {
  const { rows } = await on.query<EnvironmentRow>(`select ${ENVIRONMENT_COLUMNS} ${IN_WORKSPACE}`, [
    organizationId,
    workspaceId,
    name,
  ]);
  return rows[0] && toEnvironment(rows[0]);
}

/** What a run begins with, besides what its environment's script left. */
export async function findRepository(
  on: Queryable,
  { organizationId, workspaceId, environment: name }: Pick<Run, 'organizationId' | 'workspaceId' | 'environment'>,
): Promise<RepositoryWish | undefined> {
  if (name === undefined || organizationId === undefined || workspaceId === undefined) return undefined;
  return (await findEnvironment(on, { organizationId, workspaceId }, name))?.repository;
}
