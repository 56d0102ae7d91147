// Recipes as files.
import { RECIPE_LIMITS } from '../../src/contract/recipes/fill-recipe.ts';
import type { RecipeFile } from '../../src/contract/recipes/recipe-file.ts';
import type { UnknownHere } from '../../src/contract/recipes/recipes.ts';
import { findAccount } from '../account.ts';
import { inWorkspace } from '../connections-api.ts';
import type { Cli, Common } from '../define-command.ts';
import { Failure } from '../failure.ts';
import { findRecipe, openRecipes } from './recipes-api.ts';

interface Placed extends Common {
  readonly workspace?: string;
}

export async function exportRecipe(
  { host, output }: Cli,
  name: string,
  options: Placed & { out?: string; force?: boolean },
): Promise<void> {
  const recipes = await openRecipes(await findAccount(host, options));
  const recipe = await findRecipe(recipes, name, options.workspace);
  const written = await recipes.export({ id: recipe.id });
  const file = options.out;
  if (file === undefined) return options.json ? output.json(written) : output.line(toText(written));
  const { writeNewFile } = await import('../write-new-file.ts');
  const place = { file, replace: options.force === true, next: 'Choose another name, or use --force to replace it.' };
  await writeNewFile(place, (write) => write(`${toText(written)}\n`));
  if (options.json) return output.json({ file });
  output.say(`Wrote the recipe ${recipe.name} to ${file}.`);
}

const toText = (recipe: RecipeFile): string => JSON.stringify(recipe, undefined, 2);

export async function importRecipe(
  { host, output }: Cli,
  path: string,
  options: Placed & { name?: string; fundingWorkspace?: string },
): Promise<void> {
  const recipes = await openRecipes(await findAccount(host, options));
  const { readNamed } = await import('../read-input.ts');
  const { recipe, unknown } = await recipes.import({
    recipe: parseFile(path, await readNamed(host, path)),
    ...inWorkspace(options.workspace),
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(options.fundingWorkspace === undefined ? {} : { fundingWorkspace: options.fundingWorkspace }),
  });
  if (options.json) return output.json({ recipe, unknown });
  output.say(`Saved. To start it: servicectl recipes run ${recipe.name}`);
  if (unknown.length > 0) output.say('It cannot be started here yet:');
  for (const one of unknown) output.line(describeUnknown(one));
}

/** The service checks what is in it, and names each field that it does not know. */
function parseFile(path: string, text: string): RecipeFile {
  if (Buffer.byteLength(text) > RECIPE_LIMITS.file)
    throw new Failure(`${path} is larger than a recipe can be`, { next: 'Check that it is the file of a recipe.' });
  try {
    return JSON.parse(text) as RecipeFile;
  } catch {
    throw new Failure(`${path} is not JSON`, { next: 'Check that it is the file of a recipe.' });
  }
}

function describeUnknown({ code, name }: UnknownHere): string {
  if (code === 'environment_not_found') return `environment ${name}: this workspace has none of that name`;
  if (code === 'push_not_allowed') return `environment ${name}: what runs do in it cannot be pushed here`;
  if (code === 'capability_unusable') return `capability ${name}: connect or reconnect it`;
  return code === 'model_not_found' ? `model ${name}: it does not exist here` : `model ${name}: runs cannot use it`;
}
