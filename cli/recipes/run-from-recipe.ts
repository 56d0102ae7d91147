import { findAccount } from '../account.ts';
import type { Cli, Common } from '../define-command.ts';
import { announceRun } from '../runs/announce-run.ts';
import { fillNamed, openRecipes } from './recipes-api.ts';

interface Options extends Common {
  readonly field: string[];
  readonly workspace?: string;
  readonly idempotencyKey?: string;
  readonly detach?: boolean;
  readonly raw?: boolean;
}

export async function runFromRecipe(cli: Cli, name: string, options: Options): Promise<void> {
  const account = await findAccount(cli.host, options);
  const recipes = await openRecipes(account);
  const { recipe, fields } = await fillNamed(cli, recipes, name, options);
  const { job } = await recipes.run({
    id: recipe.id,
    fields,
    ...(options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey }),
  });
  await announceRun(cli, account, job, options);
}
