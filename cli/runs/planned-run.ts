// What a recipe, schedule or trigger starts, as its commands take it: an objective with options, or a recipe with its
// fields filled in, whose options count where none are given.
import { type Command, Option } from 'commander';
import type { StandingRequest } from '../../src/contract/standing/standing-runs.ts';
import type { Account } from '../account.ts';
import { inWorkspace } from '../connections-api.ts';
import { type Cli, type Common, ENVIRONMENT, WORKSPACE } from '../define-command.ts';
import { usage } from '../failure.ts';

export interface RunOptions extends Common {
  readonly kind?: 'chat' | 'codex';
  readonly model?: string;
  readonly capability: string[];
  readonly workspace?: string;
  readonly fundingWorkspace?: string;
  readonly environment?: string;
  readonly deliver?: 'branch' | 'pull-request';
}

export interface PlannedRunOptions extends RunOptions {
  readonly recipe?: string;
  readonly field: string[];
}

export const collect = (one: string, before: string[]): string[] => [...before, one];

export const FUNDING = [
  '--funding-workspace <workspace>',
  "workspace whose provider key pays (default: the organization's)",
] as const;
export const deliverOption = (): Option =>
  new Option('--deliver <how>', 'push what it did when it is complete, by the service').choices([
    'branch',
    'pull-request',
  ]);
export const FIELD = '--field <name=value>';

export function withRunOptions(command: Command): Command {
  return command
    .addOption(new Option('--kind <kind>', 'kind of worker that executes it').choices(['chat', 'codex']))
    .option('--model <model>', 'an OpenAI model; see servicectl models')
    .option(
      '--capability <key>',
      'a capability that its runs need; see servicectl capabilities; repeatable',
      collect,
      [],
    )
    .option(...WORKSPACE)
    .option(...ENVIRONMENT)
    .addOption(deliverOption())
    .option(...FUNDING);
}

export function withPlannedRun(command: Command): Command {
  return withRunOptions(
    command
      .option('--recipe <recipe>', 'what a recipe starts, by name or ID, in place of an objective')
      .option(FIELD, 'fill in a field of the recipe; repeatable (default: ask for it)', collect, []),
  );
}

/** @param given the objective; `-` reads it from standard input. */
export async function readRun(
  { host }: Cli,
  given: string,
  options: RunOptions,
  example: string,
): Promise<StandingRequest> {
  const objective = (given === '-' ? await (await import('../read-input.ts')).readStdin(host) : given).trim();
  if (objective === '') throw usage('there is no objective', `For example: ${example}`);
  return { objective, ...inWorkspace(options.workspace), ...givenOf(options) };
}

/** With a name for what is made of it. */
export async function planRun(
  cli: Cli,
  account: Account,
  given: string | undefined,
  { options, example }: { options: PlannedRunOptions; example: string },
): Promise<{ name: string; run: StandingRequest }> {
  if (options.recipe === undefined) {
    if (options.field.length > 0) throw usage('--field needs --recipe');
    const run = await readRun(cli, given ?? '', options, example);
    return { name: run.objective.replaceAll(/\s+/g, ' ').slice(0, NAME_SHOWN), run };
  }
  if (given !== undefined) throw usage('give either an objective or --recipe');
  const [{ fillNamed, openRecipes }, { fillRecipe }] = await Promise.all([
    import('../recipes/recipes-api.ts'),
    import('../../src/contract/recipes/fill-recipe.ts'),
  ]);
  const { recipe, fields } = await fillNamed(cli, await openRecipes(account), options.recipe, options);
  const objective = fillRecipe(recipe.run.objective, fields);
  return { name: recipe.name, run: { ...recipe.run, objective, ...givenOf(options) } };
}

const NAME_SHOWN = 60;

function givenOf({ kind, model, capability, fundingWorkspace, environment, deliver }: RunOptions) {
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(model === undefined ? {} : { model }),
    ...(capability.length === 0 ? {} : { capabilities: capability }),
    ...(fundingWorkspace === undefined ? {} : { fundingWorkspace }),
    ...(environment === undefined ? {} : { environment }),
    ...(deliver === undefined ? {} : { deliver }),
  };
}
