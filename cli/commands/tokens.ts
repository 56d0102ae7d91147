import { type Command, Option } from 'commander';
import { findAccount } from '../account.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../define-command.ts';
import { Failure, usage } from '../failure.ts';
import { listAll } from '../list-all.ts';
import { organizationOf } from '../organization-of.ts';
import { dollars } from './usage.ts';
import type { Scope } from '../../src/contract/tokens.ts';

interface CreateOptions extends Common {
  readonly scope: Scope[];
  readonly workspace?: string;
  readonly days: string;
  readonly model: string[];
  readonly monthlyUsd?: string;
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
    summary: 'Your connect tokens: list (the default), create, rotate, revoke',
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
    .option('--model <pattern...>', 'restrict it to models whose names match, such as openai/* (default: all)', [])
    .option('--monthly-usd <amount>', 'a cap on what it may spend per calendar month, in US dollars')
    .action((name: string, options: CreateOptions) => create(cli, name, options));
  defineCommand(group, {
    name: 'rotate <token>',
    summary: 'Replace a token, by ID or name, and print the new one; the old one works for a while',
    example: 'servicectl tokens rotate build-machine --overlap 1h',
  })
    .option('--overlap <time>', 'how long the old one works, such as 30m or 1d, at most 7d', '1h')
    .action((token: string, options: Common & { overlap: string }) => rotate(cli, token, options));
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
  const found = (await all())
    .filter((one) => options.all || isLive(one))
    .map((one) => ({ ...one, inUse: one.id === account.stored?.tokenId }));
  if (options.json) return cli.output.json({ tokens: found });
  if (found.length === 0)
    cli.output.say('You have no tokens in this organization. Create one with: servicectl tokens create <name>');
  cli.output.table(
    ['IN USE', 'NAME', 'SCOPES', 'WORKSPACE', 'MODELS', 'MONTHLY CAP', 'LAST USED', 'EXPIRES', 'ID'],
    found.map((one) => [
      one.inUse ? '*' : '',
      one.name,
      one.scopes.join(' '),
      one.workspace ?? '-',
      one.models?.join(' ') ?? '-',
      one.monthlyUsd === undefined ? '-' : dollars(one.monthlyUsd),
      one.lastUsedAt ?? '-',
      !isLive(one) && one.revokedAt !== undefined ? 'revoked' : (one.revokedAt ?? one.expiresAt),
      one.id,
    ]),
  );
}

/** A rotated token is revoked at a moment that may lie ahead. */
function isLive(one: { revokedAt?: string | undefined; expiresAt: string }): boolean {
  return Date.parse(one.revokedAt ?? one.expiresAt) > Date.now() && Date.parse(one.expiresAt) > Date.now();
}

async function create(cli: Cli, name: string, options: CreateOptions): Promise<void> {
  const days = Number(options.days);
  if (!Number.isInteger(days) || days < 1 || days > 365) throw usage('--days takes a number from 1 to 365');
  const monthlyUsd = options.monthlyUsd === undefined ? undefined : Number(options.monthlyUsd);
  if (monthlyUsd !== undefined && !(monthlyUsd >= 0)) throw usage('--monthly-usd takes an amount such as 20 or 2.50');
  const { tokens, organization } = await open(cli, options);
  const made = await tokens.create({
    name,
    organization,
    ...(options.workspace === undefined ? {} : { workspace: options.workspace }),
    scopes: options.scope.length === 0 ? [...SCOPES] : options.scope,
    expiresIn: `${days}d`,
    ...(options.model.length === 0 ? {} : { models: options.model }),
    ...(monthlyUsd === undefined ? {} : { monthlyUsd }),
  });
  if (options.json) return cli.output.json(made);
  cli.output.line(made.token);
  cli.output.say('It is not shown again. Anyone who has it can act as you until it expires or is revoked.');
}

async function rotate(cli: Cli, wanted: string, options: Common & { overlap: string }): Promise<void> {
  const { tokens, all } = await open(cli, options);
  const one = findToken(
    (await all()).filter(({ revokedAt }) => revokedAt === undefined),
    wanted,
  );
  const made = await tokens.rotate({ token: one.id, overlap: options.overlap });
  if (options.json) return cli.output.json(made);
  cli.output.line(made.token);
  cli.output.say(`It is not shown again. The old token works until ${made.oldExpiresAt}.`);
}

async function revoke(cli: Cli, wanted: string, options: Common): Promise<void> {
  const { tokens, all } = await open(cli, options);
  const live = (await all()).filter(isLive);
  const one = findToken(live, wanted);
  await tokens.revoke({ token: one.id });
  if (options.json) return cli.output.json({ revoked: { id: one.id, name: one.name } });
  cli.output.say(`Revoked ${one.name} (${one.id}).`);
  const replaced = live.find(({ id, name }) => name === one.name && id !== one.id);
  if (replaced && one.revokedAt === undefined)
    cli.output.say(
      `The token that it replaced works until ${replaced.revokedAt ?? replaced.expiresAt}. To end it now: servicectl tokens revoke ${replaced.id}`,
    );
}

interface NamedToken {
  readonly id: string;
  readonly name: string;
  readonly revokedAt?: string | undefined;
}

/** By ID or name. After a rotation the name is that of the new token: the old one is about to be revoked. */
export function findToken<T extends NamedToken>(live: readonly T[], wanted: string): T {
  const matching = live.filter(({ id, name }) => id === wanted || name === wanted);
  const lasting = matching.filter(({ revokedAt }) => revokedAt === undefined);
  const found = lasting.length > 0 ? lasting : matching;
  const [one] = found;
  if (!one)
    throw new Failure('you have no such token in this organization', {
      error: 'token_not_found',
      next: 'Run: servicectl tokens',
    });
  if (found.length > 1)
    throw usage(`${found.length} tokens have this name`, `Use an ID instead: ${found.map(({ id }) => id).join(', ')}`);
  return one;
}
