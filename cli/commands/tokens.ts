import { type Command, Option } from 'commander';
import { findAccount } from '../account.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../define-command.ts';
import { Failure, usage } from '../failure.ts';
import { listAll } from '../list-all.ts';
import { organizationOf } from '../organization-of.ts';
import type { Scope } from '../../src/contract/tokens.ts';

interface CreateOptions extends Common {
  readonly scope: Scope[];
  readonly workspace?: string;
  readonly days: string;
}

/** The same as in src/contract/tokens.ts, which is loaded only on demand. */
export const SCOPES = [
  'connect:read',
  'connect:write',
  'chat',
  'jobs:read',
  'jobs:write',
  'receipts:read',
] as const satisfies readonly Scope[];

export function addTokens(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'tokens',
    summary: 'Your connect tokens: list (the default), create, revoke',
    example: 'servicectl tokens',
  });
  defineCommand(group, {
    name: 'list',
    summary: 'List your tokens in this organization; * marks the one in use',
    example: 'servicectl tokens list',
    isDefault: true,
  })
    .option('--all', 'also list revoked and expired tokens')
    .action((options: Common & { all?: boolean }) => list(cli, options));
  defineCommand(group, {
    name: 'create <name>',
    summary: 'Create a token and print it; it is shown only once',
    example: 'servicectl tokens create build-machine --scope chat --days 30',
  })
    .addOption(new Option('--scope <scope...>', 'what it may do (default: everything)').choices(SCOPES).default([], ''))
    .option('--workspace <workspace>', 'restrict it to one workspace, by ID or slug')
    .option('--days <days>', 'its lifetime, 1 to 365 days', '30')
    .action((name: string, options: CreateOptions) => create(cli, name, options));
  defineCommand(group, {
    name: 'revoke <token>',
    summary: 'Revoke a token, by ID or name',
    example: 'servicectl tokens revoke build-machine',
  }).action((token: string, options: Common) => revoke(cli, token, options));
}

async function open({ host }: Cli, options: Common) {
  const account = await findAccount(host, options);
  const { webClient } = await import('../api/typed-clients.ts');
  const { tokens } = webClient(account);
  const organization = organizationOf(account);
  return {
    account,
    tokens,
    organization,
    all: () =>
      listAll(
        (cursor) => tokens.list({ organization, ...cursor }),
        (page) => page.tokens,
      ),
  };
}

async function list(cli: Cli, options: Common & { all?: boolean }): Promise<void> {
  const { account, all } = await open(cli, options);
  const live = (one: { revokedAt?: string | undefined; expiresAt: string }): boolean =>
    one.revokedAt === undefined && Date.parse(one.expiresAt) > Date.now();
  const found = (await all())
    .filter((one) => options.all || live(one))
    .map((one) => ({ ...one, inUse: one.id === account.stored?.tokenId }));
  if (options.json) return cli.output.json({ tokens: found });
  if (found.length === 0)
    cli.output.say('You have no tokens in this organization. Create one with: servicectl tokens create <name>');
  cli.output.table(
    ['IN USE', 'NAME', 'SCOPES', 'WORKSPACE', 'EXPIRES', 'ID'],
    found.map((one) => [
      one.inUse ? '*' : '',
      one.name,
      one.scopes.join(' '),
      one.workspace ?? '-',
      one.revokedAt === undefined ? one.expiresAt : 'revoked',
      one.id,
    ]),
  );
}

async function create(cli: Cli, name: string, options: CreateOptions): Promise<void> {
  const days = Number(options.days);
  if (!Number.isInteger(days) || days < 1 || days > 365) throw usage('--days takes a number from 1 to 365');
  const { tokens, organization } = await open(cli, options);
  const made = await tokens.create({
    name,
    organization,
    ...(options.workspace === undefined ? {} : { workspace: options.workspace }),
    scopes: options.scope.length === 0 ? [...SCOPES] : options.scope,
    expiresIn: `${days}d`,
  });
  if (options.json) return cli.output.json(made);
  cli.output.line(made.token);
  cli.output.say('It is not shown again. Anyone who has it can act as you until it expires or is revoked.');
}

async function revoke(cli: Cli, wanted: string, options: Common): Promise<void> {
  const { tokens, all } = await open(cli, options);
  const live = (await all()).filter(({ revokedAt }) => revokedAt === undefined);
  const found = live.filter(({ id, name }) => id === wanted || name === wanted);
  const [one] = found;
  if (!one)
    throw new Failure('you have no such token in this organization', {
      error: 'token_not_found',
      next: 'Run: servicectl tokens',
    });
  if (found.length > 1)
    throw usage(`${found.length} tokens have this name`, `Use an ID instead: ${found.map(({ id }) => id).join(', ')}`);
  await tokens.revoke({ token: one.id });
  if (options.json) return cli.output.json({ revoked: { id: one.id, name: one.name } });
  cli.output.say(`Revoked ${one.name} (${one.id}).`);
}
