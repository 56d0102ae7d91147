import type { Command } from 'commander';
import type { Recipe } from '../../../src/contract/recipes/recipes.ts';
import { findAccount } from '../../account.ts';
import { RAW } from '../../chat/write-answer.ts';
import { inWorkspace } from '../../connections-api.ts';
import { type Cli, type Common, defineCommand, defineGroup, WORKSPACE } from '../../define-command.ts';
import { Failure, usage } from '../../failure.ts';
import { findRecipe, openRecipes } from '../../recipes/recipes-api.ts';
import { runFromRecipe } from '../../recipes/run-from-recipe.ts';
import { collect, FIELD, FUNDING, readRun, type RunOptions, withRunOptions } from '../../runs/planned-run.ts';
import { exportRecipe, importRecipe } from '../../recipes/recipe-files.ts';

interface Placed extends Common {
  readonly workspace?: string;
}

interface ListOptions extends Placed {
  readonly search?: string;
  readonly limit: string;
  readonly cursor?: string;
}

interface CreateOptions extends RunOptions {
  readonly description?: string;
}

const PAGE_MAX = 200;

export function addRecipes(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'recipes',
    summary: 'Runs that a workspace keeps: list (the default), show, create, run, delete, export, import',
    example: 'servicectl recipes create weekly "Summarize what changed in {{repository}}" --capability github',
  });
  addReading(group, cli);
  addWriting(group, cli);
}

function addReading(group: Command, cli: Cli): void {
  defineCommand(group, {
    name: 'list',
    summary: 'List the recipes of your workspaces, by name',
    example: 'servicectl recipes list --search weekly',
    isDefault: true,
  })
    .option('--search <text>', 'only recipes whose name or description contains this')
    .option('--workspace <workspace>', 'only recipes of this workspace, by ID or slug')
    .option('--limit <count>', `how many to show, at most ${PAGE_MAX}`, '50')
    .option('--cursor <cursor>', 'continue from the previous page')
    .action((options: ListOptions) => list(cli, options));
  defineCommand(group, {
    name: 'show <recipe>',
    summary: 'Print a recipe, by name or ID: its fields, and what it starts',
    example: 'servicectl recipes show weekly',
  })
    .option('--workspace <workspace>', 'the workspace that it is in, by ID or slug')
    .action((recipe: string, options: Placed) => show(cli, recipe, options));
  defineCommand(group, {
    name: 'export <recipe>',
    summary: 'Write a recipe to a file, to import it elsewhere (without --out: to standard output)',
    example: 'servicectl recipes export weekly --out weekly.json',
  })
    .option('--workspace <workspace>', 'the workspace that it is in, by ID or slug')
    .option('--out <file>', 'the file to write')
    .option('--force', 'replace the file if it exists')
    .action((recipe: string, options: Placed & { out?: string; force?: boolean }) =>
      exportRecipe(cli, recipe, options),
    );
}

function addWriting(group: Command, cli: Cli): void {
  withRunOptions(
    defineCommand(group, {
      name: 'create <name> <objective>',
      summary: 'Save a recipe for the members of a workspace; - reads the objective from standard input',
      example: 'servicectl recipes create weekly "Summarize what changed in {{repository:acme/site}}"',
    }).option('--description <text>', 'what it is for'),
  ).action((name: string, objective: string, options: CreateOptions) => create(cli, { name, objective }, options));
  defineCommand(group, {
    name: 'run <recipe>',
    summary: 'Start a run from a recipe, by name or ID, and follow it until it ends',
    example: 'servicectl recipes run weekly --field repository=acme/site',
  })
    .option(FIELD, 'fill in a field; repeatable (default: ask for it)', collect, [])
    .option('--workspace <workspace>', 'the workspace that it is in, by ID or slug')
    .option('--idempotency-key <key>', 'repeating a request with the same key returns the same run')
    .option(...RAW)
    .option('--detach', 'start the run, print its ID and exit')
    .action((recipe: string, options) => runFromRecipe(cli, recipe, options));
  defineCommand(group, {
    name: 'delete <recipe>',
    summary: 'Delete a recipe, by name or ID; its runs stay',
    example: 'servicectl recipes delete weekly --yes',
  })
    .option('--workspace <workspace>', 'the workspace that it is in, by ID or slug')
    .option('--yes', 'do not ask for confirmation')
    .action((recipe: string, options: Placed & { yes?: boolean }) => remove(cli, recipe, options));
  defineCommand(group, {
    name: 'import <file>',
    summary: 'Save a recipe from a file and say what it needs that is not here; - reads standard input',
    example: 'servicectl recipes import weekly.json --workspace research',
  })
    .option('--name <name>', 'save it under another name')
    .option(...WORKSPACE)
    .option(...FUNDING)
    .action((file: string, options: Placed & { name?: string; fundingWorkspace?: string }) =>
      importRecipe(cli, file, options),
    );
}

async function list(cli: Cli, { limit: given, cursor, search, ...options }: ListOptions): Promise<void> {
  const limit = Number(given);
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_MAX)
    throw usage(`--limit takes a whole number from 1 to ${PAGE_MAX}`);
  const recipes = await openRecipes(await findAccount(cli.host, options));
  const found = await recipes.list({
    limit,
    ...inWorkspace(options.workspace),
    ...(search === undefined ? {} : { search }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  if (options.json) return cli.output.json(found);
  if (found.recipes.length === 0)
    cli.output.say('No recipes match. To save one: servicectl recipes create <name> <objective>');
  cli.output.table(
    ['NAME', 'KIND', 'FIELDS', 'BY', 'OBJECTIVE'],
    found.recipes.map(({ name, run, fields, createdBy, description }) => [
      name,
      run.kind,
      fields.map((field) => field.name).join(', ') || '-',
      createdBy.name || '-',
      (description ?? run.objective).slice(0, 200).replaceAll(/\s+/g, ' '),
    ]),
  );
  if (found.cursor !== undefined) cli.output.say(`To see more: servicectl recipes list --cursor ${found.cursor}`);
}

async function show({ host, output }: Cli, name: string, options: Placed): Promise<void> {
  const recipe = await findRecipe(await openRecipes(await findAccount(host, options)), name, options.workspace);
  if (options.json) return output.json({ recipe });
  for (const [what, value] of factsOf(recipe)) output.say(`${what}: ${value}`);
  output.line(recipe.run.objective);
}

function factsOf({ name, description, run, fields, createdBy }: Recipe): [string, string][] {
  const facts: [string, string | undefined][] = [
    ['Name', name],
    ['Description', description],
    ['Kind', run.kind],
    ['Model', run.model],
    ['Capabilities', run.capabilities.join(', ')],
    ['Environment', run.environment],
    ['Deliver', run.deliver],
    [
      'Fields',
      fields.map((field) => field.name + (field.default === undefined ? '' : ` (${field.default})`)).join(', '),
    ],
    ['Made by', createdBy.name],
  ];
  return facts.flatMap(([what, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[what, value]],
  );
}

async function create(
  cli: Cli,
  { name, objective }: { name: string; objective: string },
  { description, ...options }: CreateOptions,
): Promise<void> {
  const { host, output } = cli;
  const account = await findAccount(host, options);
  const run = await readRun(cli, objective, options, 'servicectl recipes create weekly "Summarize …"');
  const recipes = await openRecipes(account);
  const { recipe } = await recipes.create({ name, ...(description === undefined ? {} : { description }), run });
  if (options.json) return output.json({ recipe });
  output.say(`Saved. To start it: servicectl recipes run ${recipe.name}`);
}

async function remove({ host, output }: Cli, name: string, options: Placed & { yes?: boolean }): Promise<void> {
  const recipes = await openRecipes(await findAccount(host, options));
  const recipe = await findRecipe(recipes, name, options.workspace);
  if (!options.yes) {
    if (!output.interactive || options.json) throw usage('this needs --yes when it cannot ask for confirmation');
    const { ask } = await import('../../ask.ts');
    if (!/^y(es)?$/i.test(await ask(host, `Delete the recipe ${recipe.name} for everyone in its workspace? (y/N) `)))
      throw new Failure('nothing was deleted', { error: 'not_confirmed', next: 'Nothing was changed.' });
  }
  await recipes.remove({ id: recipe.id });
  if (options.json) return output.json({ deleted: recipe.id });
  output.say(`Deleted the recipe ${recipe.name}.`);
}
