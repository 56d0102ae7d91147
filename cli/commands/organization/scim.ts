import type { Command } from 'commander';
import { confirm, YES } from '../../confirm.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../../define-command.ts';
import { Failure } from '../../failure.ts';
import { openOrganization } from '../../organization-of.ts';

export function addScim(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'scim',
    summary: 'SCIM tokens of your organization, for its identity provider: list (the default), create, revoke (owners)',
    example: 'servicectl scim',
  });
  defineCommand(group, {
    name: 'list',
    summary: 'List the tokens, and when each was last used',
    example: 'servicectl scim list',
    isDefault: true,
  }).action((options: Common) => list(cli, options));
  defineCommand(group, {
    name: 'create',
    summary: 'Create a token and print it; it is shown only once. At most two, so that one can replace the other',
    example: 'servicectl scim create',
  }).action((options: Common) => create(cli, options));
  defineCommand(group, {
    name: 'revoke <token>',
    summary: 'Revoke a token, by ID; members and workspaces stay as they are',
    example: 'servicectl scim revoke sct_01k…',
  })
    .option(...YES)
    .action((token: string, options: Common & { yes?: boolean }) => revoke(cli, token, options));
}

async function list(cli: Cli, options: Common): Promise<void> {
  const { client, org } = await openOrganization(cli, options);
  const found = await client.organizations.scimTokens.list({ org });
  if (options.json) return cli.output.json(found);
  if (found.tokens.length === 0) cli.output.say('There are no SCIM tokens. Create one with: servicectl scim create');
  else cli.output.say(`Base URL: ${found.url}`);
  cli.output.table(
    ['ID', 'CREATED', 'BY', 'LAST USED'],
    found.tokens.map((one) => [one.id, one.createdAt, one.createdBy ?? '-', one.lastUsedAt ?? 'never']),
  );
}

async function create(cli: Cli, options: Common): Promise<void> {
  const { client, org } = await openOrganization(cli, options);
  const made = await client.organizations.scimTokens.create({ org });
  if (options.json) return cli.output.json(made);
  cli.output.line(made.token);
  cli.output.say(
    `It is not shown again. Enter it at your identity provider, with the base URL ${made.url}. Anyone who has it can add and remove members.`,
  );
}

async function revoke(cli: Cli, wanted: string, options: Common & { yes?: boolean }): Promise<void> {
  const { client, org } = await openOrganization(cli, options);
  const { tokens } = await client.organizations.scimTokens.list({ org });
  const one = tokens.find(({ id }) => id === wanted);
  if (!one)
    throw new Failure('there is no such SCIM token', { error: 'token_not_found', next: 'Run: servicectl scim' });
  await confirm(
    cli,
    `Revoke ${one.id}, ${one.lastUsedAt === undefined ? 'never used' : `last used ${one.lastUsedAt}`}?`,
    options,
  );
  await client.organizations.scimTokens.revoke({ org, token: one.id });
  if (options.json) return cli.output.json({ revoked: { id: one.id } });
  cli.output.say(`Revoked ${one.id}.`);
}
