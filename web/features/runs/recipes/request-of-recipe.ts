import { fillRecipe } from '../../../../src/contract/recipes/fill-recipe.ts';
import type { Recipe } from '../../../../src/contract/recipes/recipes.ts';
import type { NewRun } from '../queries.ts';

/** The run that a recipe starts with these values: what a form for a run begins with when it is filled from a recipe. */
export function requestOfRecipe({ run }: Pick<Recipe, 'run'>, values: Readonly<Record<string, string>>): NewRun {
  return { ...run, objective: fillRecipe(run.objective, values) };
}
