import type { Command } from 'commander';
import { type Account, findAccount, requireSession } from '../account.ts';
import { configDirectory } from '../config-directory.ts';
import { readCredentials, withAccount, writeCredentials } from '../credentials.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../define-command.ts';
import { asSentence } from '../join-texts.ts';
import { mintToken } from '../login/mint-token.ts';

const DAY_MS = 86_400_000;
const LONGEST_DAYS = 365;
const DAYS = 90;

export function addOrganizations(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'organizations',
    summary: 'Your organizations: list (the default), use',
    example: 'servicectl organizations',
  });
  defineCommand(group, {
    name: 'list',
    summary: 'List the organizations that you belong to; * marks the one in use',
    example: 'servicectl organizations list --json',
    isDefault: true,
  }).action((options: Common) => list(cli, options));
  defineCommand(group, {
    name: 'use <organization>',
    summary: 'Switch to another organization, by ID or slug: creates a token for it and revokes the current one',
    example: 'servicectl organizations use acme',
  }).action((organization: string, options: Common) => use(cli, organization, options));
}

async function list({ host, output }: Cli, options: Common): Promise<void> {
  const account = await findAccount(host, options);
  const { webClient } = await import('../api/typed-clients.ts');
  const { organizations } = await webClient(account).me();
  const inUse = account.stored?.organization?.id;
  if (options.json)
    return output.json({ organizations: organizations.map((one) => ({ ...one, inUse: one.id === inUse })) });
  if (organizations.length === 0)
    output.say(`You do not belong to an organization yet. Create one at ${account.url}, or accept an invitation.`);
  output.table(
    ['IN USE', 'ORGANIZATION', 'NAME', 'PLAN', 'ROLE', 'ID'],
    organizations.map(({ id, slug, name, plan, role }) => [id === inUse ? '*' : '', slug, name, plan, role, id]),
  );
}

async function use(cli: Cli, organization: string, options: Common): Promise<void> {
  const { host, output } = cli;
  const account = await findAccount(host, options);
  const made = await mintToken(cli, account.url, requireSession(account), {
    days: daysLeft(account),
    organization,
    workspace: undefined,
    name: undefined,
    previous: account.stored,
  });
  const directory = configDirectory(host);
  await writeCredentials(directory, withAccount(await readCredentials(directory), account.url, made));
  if (options.json) return output.json({ organization: made.organization, expiresAt: made.expiresAt });
  output.say(asSentence(`Switched to ${made.organization?.name ?? organization}`));
}

/** The new token expires when the old one would have. */
function daysLeft({ stored }: Account): number {
  const left = Math.ceil((Date.parse(stored?.expiresAt ?? '') - Date.now()) / DAY_MS);
  return left >= 1 && left <= LONGEST_DAYS ? left : DAYS;
}
