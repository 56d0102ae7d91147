// Queries and actions for recipes, through the runtime.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Recipe } from '../../../../src/contract/recipes/recipes.ts';
import { byCursor, pageAt } from '../../../api/by-cursor.ts';
import { runtime } from '../../../api/runtime-client.ts';
import type { RunView } from '../queries.ts';

export type NewRecipe = Parameters<typeof runtime.recipes.create>[0];
export type RecipeChange = Omit<Parameters<typeof runtime.recipes.update>[0], 'id'>;
export type RecipeImport = Parameters<typeof runtime.recipes.import>[0];
export type Imported = Awaited<ReturnType<typeof runtime.recipes.import>>;

export const recipeKeys = { all: ['recipes'] as const };

const OFFERED = 8;

interface RecipePlace {
  readonly organization: string;
  readonly workspace: string;
}

export function recipesQuery({ organization, workspace }: RecipePlace, search: string) {
  return infiniteQueryOptions({
    queryKey: [...recipeKeys.all, organization, workspace, search],
    queryFn: ({ pageParam, signal }) =>
      runtime.recipes.list(
        { workspace, ...(search === '' ? {} : { search }), ...pageAt(pageParam) },
        { context: { organization }, signal },
      ),
    ...byCursor,
  });
}

/** What the composer of a chat suggests, and what a form can be filled from. */
export function offeredRecipesQuery({ organization, workspace }: RecipePlace, search: string, limit = OFFERED) {
  return queryOptions({
    queryKey: [...recipeKeys.all, organization, workspace, search, 'offered', limit],
    queryFn: ({ signal }) =>
      runtime.recipes.list(
        { workspace, limit, ...(search === '' ? {} : { search }) },
        { context: { organization }, signal },
      ),
    staleTime: 30_000,
  });
}

export async function saveRecipe(organization: string, recipe: NewRecipe): Promise<Recipe> {
  return (await runtime.recipes.create(recipe, { context: { organization } })).recipe;
}

export async function changeRecipe(organization: string, id: string, change: RecipeChange): Promise<Recipe> {
  return (await runtime.recipes.update({ id, ...change }, { context: { organization } })).recipe;
}

export async function removeRecipe(organization: string, id: string): Promise<void> {
  await runtime.recipes.remove({ id }, { context: { organization } });
}

export async function runRecipe(organization: string, id: string, fields: Record<string, string>): Promise<RunView> {
  return (await runtime.recipes.run({ id, fields }, { context: { organization, startsRun: true } })).job;
}

export async function readRecipeFile(organization: string, id: string): Promise<string> {
  const file = await runtime.recipes.export({ id }, { context: { organization } });
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

export function importRecipe(organization: string, given: RecipeImport): Promise<Imported> {
  return runtime.recipes.import(given, { context: { organization } });
}
