// Saving, changing and deleting recipes. Who may do it is a predicate of the statement that does it.
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { RECIPE_LIMITS } from '../../contract/recipes/fill-recipe.ts';
import type { Queryable } from '../../store/database.ts';
import type { Membership } from '../../tenancy/members/membership.ts';
import type { RunReader } from '../record/find-runs.ts';
import { PLANNED_COLUMNS, plannedParameters, type PlannedRun, plannedValues } from '../standing/planned-run.ts';
import { getRecipe, MAY_CHANGE, readerValues, SEEN } from './find-recipes.ts';
import type { Recipe } from './recipe.ts';

export interface NewRecipe {
  readonly name: string;
  readonly description: string;
  readonly run: PlannedRun;
}

/** Concurrent callers may pass the limit by a few, which does no harm. */
const INSERT = `
with held as (
  select count(*)::int as recipes from :schema.recipe where organization_id = $2 and workspace_id = $3
), made as (
  insert into :schema.recipe (id, organization_id, workspace_id, created_by, name, description, ${PLANNED_COLUMNS.join(', ')})
    select $4, w.organization_id, w.workspace_id, w.user_id, $5, $6, ${plannedParameters(8)} from :schema.member_workspace w, held
     where w.user_id = $1 and w.organization_id = $2 and w.workspace_id = $3 and w.is_member and held.recipes < $7
  returning id
)
select held.recipes, made.id from held left join made on true`;

export async function createRecipe(
  on: Queryable,
  { userId, organizationId, workspaceId }: Membership,
  { name, description, run }: NewRecipe,
): Promise<Recipe> {
  const reader = { userId, organizationId, workspaceId };
  const id = newId('rcp');
  const { rows } = await refuseTaken(name, () =>
    on.query<{ recipes: number; id: string | null }>(INSERT, [
      ...readerValues(reader),
      id,
      name,
      description,
      RECIPE_LIMITS.recipes,
      ...plannedValues(run),
    ]),
  );
  if ((rows[0]?.recipes ?? 0) >= RECIPE_LIMITS.recipes)
    throw new AppError('too_many_recipes', { limit: RECIPE_LIMITS.recipes });
  if (rows[0]?.id !== id) throw new AppError('workspace_membership_required');
  return getRecipe(on, reader, id);
}

const CHANGE = `
update :schema.recipe r set name = coalesce($5, r.name), description = coalesce($6, r.description),
    ${PLANNED_COLUMNS.map((column, at) => `${column} = case when $7::text is null then r.${column} else $${7 + at} end`).join(', ')},
    updated_at = now()
  from :schema.member_workspace w where ${SEEN} and r.id = $4 and ${MAY_CHANGE}`;

/** Omitted parts stay as they are; the run is replaced as a whole. */
export async function changeRecipe(
  on: Queryable,
  reader: RunReader,
  id: string,
  { name, description, run }: { readonly [Part in keyof NewRecipe]?: NewRecipe[Part] | undefined },
): Promise<Recipe> {
  const { rowCount } = await refuseTaken(name, () =>
    on.query(CHANGE, [
      ...readerValues(reader),
      id,
      name ?? null,
      description ?? null,
      ...(run ? plannedValues(run) : PLANNED_COLUMNS.map(() => null)),
    ]),
  );
  const recipe = await getRecipe(on, reader, id);
  if (rowCount === 0) throw new AppError('recipe_authority_required');
  return recipe;
}

const REMOVE = `delete from :schema.recipe r using :schema.member_workspace w where ${SEEN} and r.id = $4 and ${MAY_CHANGE}`;

export async function removeRecipe(on: Queryable, reader: RunReader, id: string): Promise<void> {
  const { rowCount } = await on.query(REMOVE, [...readerValues(reader), id]);
  if (rowCount > 0) return;
  await getRecipe(on, reader, id);
  throw new AppError('recipe_authority_required');
}

const UNIQUE_VIOLATION = '23505';

async function refuseTaken<T>(name: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
    throw taken ? new AppError('recipe_name_taken', { name }, { cause: error }) : error;
  }
}
