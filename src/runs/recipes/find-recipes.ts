// Finding recipes. People see those of workspaces that they see, through a token that is not bound to another one:
// organization and workspace are predicates of the statement, so one that the caller may not see does not exist for them.
import { AppError } from '../../base/errors.ts';
import type { Queryable } from '../../store/database.ts';
import { cutPage, type PageRequest, rowsToRead, withinBytes } from '../../tenancy/paging.ts';
import { seesWorkspace } from '../../tenancy/workspaces/sees-workspace.ts';
import type { RunReader } from '../record/find-runs.ts';
import { PLANNED_COLUMNS } from '../standing/planned-run.ts';
import { type Recipe, type RecipeRow, toRecipe } from './recipe.ts';

const MANAGERS = "('owner', 'admin')";

/** Who made one changes it while they are in the workspace; owners and admins of it and of the organization always do. */
export const MAY_CHANGE = `((r.created_by = $1 and w.is_member) or coalesce(w.role in ${MANAGERS}, false) or coalesce(w.organization_role in ${MANAGERS}, false))`;

/** What reader $1 of organization $2 sees, through a token of workspace $3 if it is bound to one. */
export const SEEN = `w.workspace_id = r.workspace_id and w.organization_id = r.organization_id and w.user_id = $1
   and r.organization_id = $2 and ($3::text is null or r.workspace_id = $3) and ${seesWorkspace('w')}`;

const SELECT = `
select r.id, r.organization_id, r.workspace_id, r.name, r.description, ${PLANNED_COLUMNS.map((column) => `r.${column}`).join(', ')},
       r.created_by, u.name as created_by_name, r.created_at, r.updated_at, ${MAY_CHANGE} as editable
  from :schema.recipe r join :schema.member_workspace w on ${SEEN}
  left join :schema.identity_user u on u.id = r.created_by`;

/** The values of $1 to $3. */
export function readerValues({ userId, organizationId, workspaceId }: RunReader): (string | null)[] {
  return [userId, organizationId ?? null, workspaceId ?? null];
}

export interface RecipeQuery extends PageRequest {
  readonly workspaceId?: string | undefined;
  readonly name?: string | undefined;
  readonly search?: string | undefined;
}

const LIST = withinBytes(
  `${SELECT} where ($4::text is null or r.workspace_id = $4) and ($5::text is null or lower(r.name) = lower($5 collate "C"))
    and ($6::text is null or r.name ilike '%' || $6 || '%' or r.description ilike '%' || $6 || '%')
    and ($7::text is null or (lower(r.name), r.id) > ($7, $8))
  order by lower(r.name), r.id limit $9`,
  { order: 'lower(q.name), q.id', bytes: 'octet_length(q.objective)' },
);

/** By name; a page ends by number and by size. */
export async function listRecipes(
  on: Queryable,
  reader: RunReader,
  query: RecipeQuery,
): Promise<{ recipes: Recipe[]; cursor?: string }> {
  const after = readCursor(query.cursor);
  const { rows: read } = await on.query<RecipeRow & { found: number }>(LIST, [
    ...readerValues(reader),
    query.workspaceId ?? null,
    query.name ?? null,
    query.search === undefined ? null : query.search.replace(/[\\%_]/g, '\\$&'),
    after?.name ?? null,
    after?.id ?? null,
    rowsToRead(query),
  ]);
  const cursorOf = ({ name, id }: RecipeRow): string =>
    Buffer.from(`${name.toLowerCase()}|${id}`).toString('base64url');
  const { rows, cursor } = cutPage(read, query, cursorOf, read[0]?.found);
  return { recipes: rows.map(toRecipe), ...(cursor === undefined ? {} : { cursor }) };
}

function readCursor(cursor: string | undefined): { name: string; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const [, name, id] =
    /^([a-z0-9-]{1,48})\|(rcp_[0-9a-z]{1,60})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (name === undefined || id === undefined)
    throw new AppError('invalid_request', { cursor: 'is not a cursor of this list' });
  return { name, id };
}

export async function getRecipe(on: Queryable, reader: RunReader, id: string): Promise<Recipe> {
  const { rows } = await on.query<RecipeRow>(`${SELECT} where r.id = $4`, [...readerValues(reader), id]);
  if (!rows[0]) throw new AppError('not_found');
  return toRecipe(rows[0]);
}
