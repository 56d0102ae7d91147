import type { Command } from 'commander';
import { findAccount } from '../account.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../define-command.ts';
import { Failure, usage } from '../failure.ts';
import { organizationOf } from '../organization-of.ts';
import type { ModelsAccountInput, ModelsAccountState } from '../../src/contract/models-account.ts';
import { KEY_SCOPE, readKey } from './keys.ts';

interface Options extends Common {
  readonly workspace?: string;
}

interface SaveOptions extends Options {
  readonly models?: string[];
  readonly keyFile?: string;
  readonly takesEffort?: boolean;
}

export function addModelsAccount(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'models-account',
    summary: 'The OpenAI-compatible account of the organization or a workspace: show (the default), save, remove',
    example: 'servicectl models-account --workspace default',
  });
  defineCommand(group, {
    name: 'show',
    summary: 'Show the address of the account and the models it serves',
    example: 'servicectl models-account show',
    isDefault: true,
  })
    .option(...KEY_SCOPE)
    .action((options: Options) => show(cli, options));
  defineCommand(group, {
    name: 'save <base-url>',
    summary: 'Save the account; its key is read from standard input, a file or a hidden prompt',
    example: "servicectl models-account save http://ollama:11434/v1 --models 'llama*' qwen3 < key.txt",
  })
    .option(...KEY_SCOPE)
    .option('--models <pattern...>', 'models that it serves; * is a wildcard')
    .option('--takes-effort', 'the account accepts reasoning_effort')
    .option('--key-file <file>', 'file with the key (- for standard input)')
    .action((baseUrl: string, options: SaveOptions) => save(cli, baseUrl, options));
  defineCommand(group, { name: 'remove', summary: 'Remove the account', example: 'servicectl models-account remove' })
    .option(...KEY_SCOPE)
    .action((options: Options) => remove(cli, options));
}

interface AccountRoutes {
  show(): Promise<ModelsAccountState>;
  save(input: ModelsAccountInput): Promise<ModelsAccountState>;
  remove(): Promise<ModelsAccountState>;
}

/** Those of the organization, unless a workspace is named. */
async function routesFor({ host }: Cli, options: Options): Promise<AccountRoutes> {
  const account = await findAccount(host, options);
  const { webClient } = await import('../api/typed-clients.ts');
  const client = webClient(account);
  const org = organizationOf(account);
  const named = options.workspace ?? 'global';
  const { modelsAccount } = client;
  if (named === 'global')
    return {
      show: () => modelsAccount.organization.show({ org }),
      save: (input) => modelsAccount.organization.save({ org, ...input }),
      remove: () => modelsAccount.organization.remove({ org }),
    };
  const { workspaces } = await client.workspaces.list({ org });
  const ws = workspaces.find(({ id, slug }) => id === named || slug === named)?.id;
  if (ws === undefined)
    throw new Failure(`there is no workspace '${named}'`, {
      next: 'Use its ID or slug, or global for the whole organization.',
    });
  return {
    show: () => modelsAccount.show({ ws }),
    save: (input) => modelsAccount.save({ ws, ...input }),
    remove: () => modelsAccount.remove({ ws }),
  };
}

async function show(cli: Cli, options: Options): Promise<void> {
  say(cli, options, await (await routesFor(cli, options)).show());
}

async function save(cli: Cli, baseUrl: string, options: SaveOptions): Promise<void> {
  const { models = [], takesEffort = false } = options;
  if (models.length === 0)
    throw usage('models-account save needs --models', "Name the models that it serves: --models 'llama*' qwen3");
  const routes = await routesFor(cli, options);
  say(cli, options, await routes.save({ baseUrl, key: await readKey(cli, baseUrl, options), models, takesEffort }));
}

async function remove(cli: Cli, options: Options): Promise<void> {
  const state = await (await routesFor(cli, options)).remove();
  if (options.json) cli.output.json(state);
  else cli.output.say('Removed the Models account.');
}

function say({ output }: Cli, { json }: Options, state: ModelsAccountState): void {
  if (json) return output.json(state);
  if (!state.configured) return output.say('There is no Models account.');
  output.table(
    ['ADDRESS', 'MODELS', 'EFFORT', 'FINGERPRINT', 'UPDATED'],
    [
      [
        state.baseUrl ?? '-',
        state.models?.join(',') ?? '-',
        state.takesEffort ? 'sent' : 'not sent',
        state.fingerprint ?? '-',
        state.updatedAt ?? '-',
      ],
    ],
  );
  if (state.undecryptable) output.say('Its key can no longer be decrypted: save the account again.');
}
