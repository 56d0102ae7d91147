import type { Command } from 'commander';
import { type Account, findAccount, requireSession } from '../account.ts';
import { configDirectory } from '../config-directory.ts';
import { readCredentials, type StoredAccount, withAccount, writeCredentials } from '../credentials.ts';
import { describeToken } from '../describe-token.ts';
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
    summary: 'Switch to another of your organizations, by ID or slug; the sign-in to the current one is kept',
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
  const session = requireSession(account);
  const directory = configDirectory(host);
  const credentials = await readCredentials(directory);
  const made =
    credentials.accounts.find((one) => isKept(one, account, organization)) ??
    (await mintToken(cli, account.url, session, {
      days: daysLeft(account),
      organization,
      workspace: undefined,
      name: undefined,
    }));
  await writeCredentials(directory, withAccount(credentials, made));
  if (options.json) return output.json({ organization: made.organization, expiresAt: made.expiresAt });
  output.say(asSentence(`Switched to ${made.organization?.name ?? organization}`));
}

/** Whether this is the same person's sign-in to the wanted organization, and its token has not expired. */
function isKept(one: StoredAccount, { url, stored }: Account, wanted: string): boolean {
  return (
    one.url === url &&
    (one.organization?.slug === wanted || one.organization?.id === wanted) &&
    describeToken(one.token)?.user === describeToken(stored?.token ?? '')?.user &&
    !(Date.parse(one.expiresAt ?? '') <= Date.now())
  );
}

/** The new token expires when the current one does. */
function daysLeft({ stored }: Account): number {
  const left = Math.ceil((Date.parse(stored?.expiresAt ?? '') - Date.now()) / DAY_MS);
  return left >= 1 && left <= LONGEST_DAYS ? left : DAYS;
}
