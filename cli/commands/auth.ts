import type { Command } from 'commander';
import { chooseAccount, findAccount } from '../account.ts';
import { configDirectory } from '../config-directory.ts';
import { isSame, nameOf, readCredentials, type StoredAccount, withAccount, writeCredentials } from '../credentials.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../define-command.ts';

export function addAuth(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'auth',
    summary: 'The sign-ins on this machine: list (the default), switch',
    example: 'servicectl auth',
  });
  defineCommand(group, {
    name: 'list',
    summary: 'List the sign-ins stored on this machine; * marks the one that commands use',
    example: 'servicectl auth list',
    isDefault: true,
  }).action((options: Common) => list(cli, options));
  defineCommand(group, {
    name: 'switch <sign-in>',
    summary: 'Use another sign-in, by its name, organization, host or email; nothing is revoked',
    example: 'servicectl auth switch acme',
    local: true,
  }).action((name: string, options: Common) => switchTo(cli, name, options));
}

async function list({ host, output }: Cli, options: Common): Promise<void> {
  const { accounts } = await readCredentials(configDirectory(host));
  const { stored, source } = await findAccount(host, options);
  const isInUse = (one: StoredAccount): boolean => stored !== undefined && isSame(one, stored);
  if (options.json) return output.json({ signIns: accounts.map((one) => ({ ...describe(one), inUse: isInUse(one) })) });
  if (accounts.length === 0) output.say('There are no sign-ins on this machine. Run: servicectl login');
  output.table(
    ['IN USE', 'SIGN-IN', 'ORGANIZATION', 'EMAIL', 'EXPIRES'],
    accounts.map((one) => [
      isInUse(one) ? '*' : '',
      nameOf(one),
      one.organization?.name ?? '-',
      one.email ?? '-',
      one.expiresAt ?? '-',
    ]),
  );
  if (source === 'environment') output.say('SERVICE_TOKEN is set and takes precedence over all of them.');
}

async function switchTo({ host, output }: Cli, wanted: string, { json }: Common): Promise<void> {
  const directory = configDirectory(host);
  const credentials = await readCredentials(directory);
  const chosen = chooseAccount(credentials.accounts, wanted);
  await writeCredentials(directory, withAccount(credentials, chosen));
  if (json) return output.json({ signIn: describe(chosen) });
  output.say(`Commands now use ${nameOf(chosen)}.`);
  for (const variable of ['SERVICE_TOKEN', 'SERVICE_URL'])
    if (host.environment[variable])
      output.say(`${variable} is set and takes precedence: unset it to use this sign-in.`);
}

/** Without the secrets. */
function describe(account: StoredAccount): Record<string, unknown> {
  const { url, organization, workspace, email, expiresAt, session } = account;
  return {
    name: nameOf(account),
    url,
    organization: organization ?? null,
    workspace: workspace ?? null,
    email: email ?? null,
    expiresAt: expiresAt ?? null,
    session: session !== undefined,
  };
}
