// Recipes, as their commands need them.
import type { FieldFault } from '../../src/contract/recipes/fill-recipe.ts';
import type { Recipe } from '../../src/contract/recipes/recipes.ts';
import { type Account, requireToken } from '../account.ts';
import type { RuntimeClient } from '../api/typed-clients.ts';
import { inWorkspace } from '../connections-api.ts';
import type { Cli, Common } from '../define-command.ts';
import { Failure, usage } from '../failure.ts';
import { readValues } from '../prompts/find-prompt.ts';

export type RecipesClient = RuntimeClient['recipes'];

export async function openRecipes(account: Account): Promise<RecipesClient> {
  requireToken(account);
  const { runtimeClient } = await import('../api/typed-clients.ts');
  return runtimeClient(account).recipes;
}

/** By name, in upper or lower case, or by ID. One name may stand for a recipe in each of several workspaces. */
export async function findRecipe(recipes: RecipesClient, name: string, workspace: string | undefined): Promise<Recipe> {
  if (name.startsWith('rcp_')) return (await recipes.get({ id: name })).recipe;
  const { recipes: found } = await recipes.list({ name, ...inWorkspace(workspace) });
  const [recipe, ...others] = found;
  if (recipe === undefined)
    throw new Failure(`there is no recipe named ${name}`, { error: 'not_found', next: 'Run: servicectl recipes' });
  if (others.length > 0) throw usage(`several workspaces have a recipe named ${name}`, 'Add --workspace <workspace>');
  return recipe;
}

/** A recipe by name, with the values of its fields: those that are given, and on a terminal those that are asked for. */
export async function fillNamed(
  { host, output }: Cli,
  recipes: RecipesClient,
  name: string,
  options: Common & { readonly field: string[]; readonly workspace?: string },
): Promise<{ recipe: Recipe; fields: Record<string, string> }> {
  const recipe = await findRecipe(recipes, name, options.workspace);
  const { ask } = await import('../ask.ts');
  const fields = await readFields(
    recipe,
    readValues(options.field, '--field'),
    output.interactive && !options.json
      ? (field, byDefault) => ask(host, `${field}${byDefault === undefined ? '' : ` (${byDefault})`}: `)
      : undefined,
  );
  return { recipe, fields };
}

type Ask = (name: string, byDefault: string | undefined) => Promise<string>;

/** The values of the fields. `ask` is called for each that is not given. */
async function readFields(
  { name, fields }: Pick<Recipe, 'name' | 'fields'>,
  given: Readonly<Record<string, string>>,
  ask: Ask | undefined,
): Promise<Record<string, string>> {
  const { findFieldFaults } = await import('../../src/contract/recipes/fill-recipe.ts');
  const values: Record<string, string> = { ...given };
  for (const field of fields)
    if (ask && !Object.hasOwn(values, field.name)) values[field.name] = await ask(field.name, field.default);
  const known = fields.map((field) => ({ name: field.name, byDefault: field.default }));
  const [fault] = findFieldFaults(known, values);
  if (fault) throw usage(`the recipe ${name} ${describeFault(fault[0], fault[1])}`, FIELD_EXAMPLE);
  return values;
}

const FIELD_EXAMPLE = 'For example: --field topic="the open issues"';

function describeFault(field: string, fault: FieldFault): string {
  if (fault === 'unknown') return `has no field ${field}`;
  return fault === 'missing' ? `needs a value for ${field}` : `takes no value as long as the one for ${field}`;
}
