import { type Command, Option } from 'commander';
import { findAccount } from '../../account.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../../define-command.ts';
import { Failure, usage } from '../../failure.ts';
import { organizationOf } from '../../organization-of.ts';
import {
  ACCOUNT_PROTOCOLS,
  type AccountAuth,
  accountAuths,
  type AccountProtocol,
  ACCOUNT_AUTHS,
} from '../../../src/contract/accounts/account-kinds.ts';
import type { ModelsAccountInput, ShownAccount } from '../../../src/contract/models-account.ts';
import { KEY_SCOPE, readKey } from '../organization/keys.ts';

interface Options extends Common {
  readonly workspace?: string;
}

interface SaveOptions extends Options {
  readonly account?: string;
  readonly models?: string[];
  readonly protocol?: AccountProtocol;
  readonly auth: AccountAuth;
  readonly keyFile?: string;
  readonly takesEffort?: boolean;
}

export function addModelsAccount(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'models-account',
    summary:
      'Accounts with other servers of models, of the organization or a workspace: list (the default), add, save, move, remove',
    example: 'servicectl models-account --workspace default',
  });
  defineCommand(group, {
    name: 'list',
    summary: 'List the accounts in the order in which they are tried, with the models that they serve',
    example: 'servicectl models-account list',
    isDefault: true,
  })
    .alias('show')
    .option(...KEY_SCOPE)
    .action((options: Options) => list(cli, options));
  withAccountOptions(
    defineCommand(group, {
      name: 'add <base-url>',
      summary: 'Add an account after the others; its key is read from standard input, a file or a hidden prompt',
      example: "servicectl models-account add http://ollama:11434/v1 --models 'llama*' qwen3 < key.txt",
    }),
  ).action((baseUrl: string, options: SaveOptions) => save(cli, 'add', baseUrl, options));
  withAccountOptions(
    defineCommand(group, {
      name: 'save <base-url>',
      summary: 'Replace an account, the first if none is named; its key is read as by add',
      example: "servicectl models-account save http://ollama:11434/v1 --models 'llama*' qwen3 < key.txt",
    }),
  )
    .option('--account <id>', 'the account to replace')
    .action((baseUrl: string, options: SaveOptions) => save(cli, 'save', baseUrl, options));
  defineCommand(group, {
    name: 'move <account> <place>',
    summary: 'Move an account to another place in the order; 1 is tried first',
    example: 'servicectl models-account move mac_… 1',
  })
    .option(...KEY_SCOPE)
    .action((account: string, place: string, options: Options) => move(cli, account, place, options));
  defineCommand(group, {
    name: 'remove [account]',
    summary: 'Remove an account; if there is only one, it need not be named',
    example: 'servicectl models-account remove',
  })
    .option(...KEY_SCOPE)
    .action((account: string | undefined, options: Options) => remove(cli, account, options));
}

function withAccountOptions(command: Command): Command {
  return command
    .option(...KEY_SCOPE)
    .option('--models <pattern...>', 'models that it serves; * is a wildcard')
    .addOption(new Option('--protocol <protocol>', 'what it speaks').choices(ACCOUNT_PROTOCOLS))
    .addOption(new Option('--auth <auth>', 'how it is authorized').choices(accountAuths()).default('bearer'))
    .option('--takes-effort', 'the account accepts reasoning_effort')
    .option('--key-file <file>', 'file with the key (- for standard input)');
}

interface AccountRoutes {
  list(): Promise<ShownAccount[]>;
  add(input: ModelsAccountInput): Promise<ShownAccount>;
  save(id: string, input: ModelsAccountInput): Promise<ShownAccount>;
  order(order: string[]): Promise<ShownAccount[]>;
  remove(id: string): Promise<unknown>;
}

/** Those of the organization, unless a workspace is named. */
async function routesFor({ host }: Cli, options: Options): Promise<AccountRoutes> {
  const signedIn = await findAccount(host, options);
  const { webClient } = await import('../../api/typed-clients.ts');
  const client = webClient(signedIn);
  const org = organizationOf(signedIn);
  const named = options.workspace ?? 'global';
  if (named === 'global') {
    const { accounts } = client.modelsAccount.organization;
    return {
      list: async () => (await accounts.list({ org })).accounts,
      add: async (input) => (await accounts.create({ org, ...input })).account,
      save: async (account, input) => (await accounts.save({ org, account, ...input })).account,
      order: async (order) => (await accounts.order({ org, order })).accounts,
      remove: (account) => accounts.remove({ org, account }),
    };
  }
  const { workspaces } = await client.workspaces.list({ org });
  const ws = workspaces.find(({ id, slug }) => id === named || slug === named)?.id;
  if (ws === undefined)
    throw new Failure(`there is no workspace '${named}'`, {
      next: 'Use its ID or slug, or global for the whole organization.',
    });
  const { accounts } = client.modelsAccount;
  return {
    list: async () => (await accounts.list({ ws })).accounts,
    add: async (input) => (await accounts.create({ ws, ...input })).account,
    save: async (account, input) => (await accounts.save({ ws, account, ...input })).account,
    order: async (order) => (await accounts.order({ ws, order })).accounts,
    remove: (account) => accounts.remove({ ws, account }),
  };
}

async function list(cli: Cli, options: Options): Promise<void> {
  say(cli, options, await (await routesFor(cli, options)).list());
}

async function save(cli: Cli, verb: 'add' | 'save', baseUrl: string, options: SaveOptions): Promise<void> {
  const { models = [], auth, protocol = ACCOUNT_AUTHS[auth][0], takesEffort = false } = options;
  if (models.length === 0)
    throw usage(`models-account ${verb} needs --models`, "Name the models that it serves: --models 'llama*' qwen3");
  const routes = await routesFor(cli, options);
  const key = await readKey(cli, baseUrl, options);
  const input = { protocol, auth, baseUrl, key, models, takesEffort };
  const replaced = verb === 'add' ? undefined : (options.account ?? (await routes.list())[0]?.id);
  say(cli, options, [replaced === undefined ? await routes.add(input) : await routes.save(replaced, input)]);
}

async function move(cli: Cli, account: string, place: string, options: Options): Promise<void> {
  const routes = await routesFor(cli, options);
  const ids = (await routes.list()).map(({ id }) => id);
  const to = Number(place);
  if (!ids.includes(account) || !Number.isInteger(to) || to < 1 || to > ids.length)
    throw new Failure(`there is no account '${account}' or no place ${place}`, {
      next: 'See both in: servicectl models-account',
    });
  const order = ids.filter((id) => id !== account);
  order.splice(to - 1, 0, account);
  say(cli, options, await routes.order(order));
}

async function remove(cli: Cli, account: string | undefined, options: Options): Promise<void> {
  const routes = await routesFor(cli, options);
  const known = account === undefined ? await routes.list() : [{ id: account }];
  const [only, ...others] = known;
  if (others.length > 0)
    throw usage('models-account remove needs the ID of an account', 'See it in: servicectl models-account');
  if (only) await routes.remove(only.id);
  if (options.json) cli.output.json({ accounts: await routes.list() });
  else cli.output.say(only ? 'Removed the Models account.' : 'There is no Models account.');
}

function say({ output }: Cli, { json }: Options, accounts: readonly ShownAccount[]): void {
  if (json) return output.json({ accounts });
  if (accounts.length === 0) return output.say('There is no Models account.');
  output.table(
    ['ACCOUNT', 'ADDRESS', 'MODELS', 'PROTOCOL', 'AUTH', 'EFFORT', 'FINGERPRINT', 'UPDATED'],
    accounts.map((account) => [
      account.id,
      account.baseUrl,
      account.models.join(','),
      account.protocol,
      account.auth,
      account.takesEffort ? 'sent' : 'not sent',
      account.fingerprint,
      account.updatedAt,
    ]),
  );
  for (const { id, undecryptable } of accounts)
    if (undecryptable) output.say(`The key of ${id} can no longer be decrypted: save the account again.`);
}
