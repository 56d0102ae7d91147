import { findAccount } from '../account.ts';
import type { Cli, Common } from '../define-command.ts';
import { readValues } from '../prompts/find-prompt.ts';
import { announceRun } from '../runs/announce-run.ts';
import { findRecipe, openRecipes, readFields } from './recipes-api.ts';

interface Options extends Common {
  readonly field: string[];
  readonly workspace?: string;
  readonly idempotencyKey?: string;
  readonly detach?: boolean;
  readonly raw?: boolean;
}

export async function runFromRecipe(cli: Cli, name: string, options: Options): Promise<void> {
  const { host, output } = cli;
  const account = await findAccount(host, options);
  const recipes = await openRecipes(account);
  const recipe = await findRecipe(recipes, name, options.workspace);
  const asks = output.interactive && !options.json;
  const { ask } = await import('../ask.ts');
  const fields = await readFields(
    recipe,
    readValues(options.field, '--field'),
    asks ? (field, byDefault) => ask(host, `${field}${byDefault === undefined ? '' : ` (${byDefault})`}: `) : undefined,
  );
  const { job } = await recipes.run({
    id: recipe.id,
    fields,
    ...(options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey }),
  });
  await announceRun(cli, account, job, options);
}
