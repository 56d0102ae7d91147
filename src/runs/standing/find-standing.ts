// Finding schedules and triggers. A person finds their own; owners and admins of the workspace or the organization find
// all, through a token that is not bound to another workspace: organization and workspace are predicates of the
// statement, so what a caller may not see does not exist for them.
import { AppError } from '../../base/errors.ts';
import type { Queryable } from '../../store/database.ts';
import { seesWorkspace } from '../../tenancy/authority.ts';
import { type Caller, findCallerMembership } from '../../tenancy/tokens/find-caller.ts';
import { cutPage, type PageRequest, rowsToRead, withinBytes } from '../../tenancy/paging.ts';
import type { RunReader } from '../record/find-runs.ts';
import { standingColumns, type StandingKind, type StandingRow, toStandingRun } from './standing-run.ts';

/** What a kind adds: a table with a row of its own for each, by the same id. */
export interface StandingPart<Row extends StandingRow, T> {
  readonly kind: StandingKind;
  /** The prefix of their ids. */
  readonly prefix: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly toOne: (row: Row, standing: ReturnType<typeof toStandingRun>) => T;
}

const MANAGERS = "('owner', 'admin')";
const MANAGES = `coalesce(w.role in ${MANAGERS} or w.organization_role in ${MANAGERS}, false)`;

function selectFrom<Row extends StandingRow, T>(part: StandingPart<Row, T>): string {
  const own = part.columns.map((name) => `, p.${name}`).join('');
  return `select ${standingColumns('s')}${own} from :schema.standing_run s join :schema.${part.table} p on p.id = s.id`;
}

/** Reader $1 of organization $2, through a token of workspace $3 if it is bound to one. */
const SEEN = `join :schema.member_workspace w on w.workspace_id = s.workspace_id and w.organization_id = s.organization_id and w.user_id = $1
  where s.organization_id = $2 and ($3::text is null or s.workspace_id = $3) and (s.created_by = $1 or ${MANAGES})`;

export interface StandingQuery extends PageRequest {
  readonly workspaceId?: string | undefined;
}

const AFTER_ALL = '~';

/** The newest first; a page ends by number and by size. */
export async function listStanding<Row extends StandingRow, T>(
  on: Queryable,
  part: StandingPart<Row, T>,
  reader: RunReader,
  query: StandingQuery,
): Promise<{ found: T[]; cursor?: string }> {
  if (query.cursor !== undefined && !new RegExp(`^${part.prefix}_[0-9a-z]{1,60}$`).test(query.cursor))
    throw new AppError('invalid_request', { cursor: 'is not a cursor of this list' });
  if (reader.organizationId === undefined) return { found: [] };
  const statement = `${selectFrom(part)} ${SEEN} and s.kind = $4 and ($5::text is null or s.workspace_id = $5) and s.id < $6 collate "C" order by s.id desc limit $7`;
  const { rows: read } = await on.query<Row & { found: number }>(
    withinBytes(statement, { order: 'q.id desc', bytes: 'octet_length(q.objective)' }),
    [
      reader.userId,
      reader.organizationId,
      reader.workspaceId ?? null,
      part.kind,
      query.workspaceId ?? null,
      query.cursor ?? `${part.prefix}_${AFTER_ALL}`,
      rowsToRead(query),
    ],
  );
  const { rows, cursor } = cutPage(read, query, ({ id }) => id, read[0]?.found);
  return {
    found: rows.map((row) => part.toOne(row, toStandingRun(row))),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

/** The workspace whose list the caller asks for. */
export async function findListedWorkspace(
  on: Queryable,
  caller: Caller,
  workspace: string | undefined,
): Promise<string | undefined> {
  if (workspace === undefined) return undefined;
  const membership = await findCallerMembership(on, caller, workspace);
  if (!membership || !seesWorkspace(membership)) throw new AppError('workspace_membership_required');
  return membership.workspaceId;
}

/** `maker` made it, and may do everything; `manager` may pause and delete it. */
export type StandingRight = 'maker' | 'manager';

/** @param lock for a transaction that changes it. */
export async function getStanding<Row extends StandingRow, T>(
  on: Queryable,
  part: StandingPart<Row, T>,
  reader: RunReader,
  { id, lock = false }: { readonly id: string; readonly lock?: boolean },
): Promise<{ one: T; right: StandingRight }> {
  const { rows } = await on.query<Row>(
    `${selectFrom(part)} ${SEEN} and s.id = $4 and s.kind = $5${lock ? ' for update of s, p' : ''}`,
    [reader.userId, reader.organizationId ?? null, reader.workspaceId ?? null, id, part.kind],
  );
  const [row] = rows;
  if (!row) throw new AppError('not_found');
  return { one: part.toOne(row, toStandingRun(row)), right: row.created_by === reader.userId ? 'maker' : 'manager' };
}

export function requireMaker(right: StandingRight): void {
  if (right !== 'maker') throw new AppError('maker_required');
}
