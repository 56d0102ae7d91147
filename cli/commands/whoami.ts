import type { Command } from 'commander';
import { findAccount, requireToken } from '../account.ts';
import { type Cli, type Common, defineCommand } from '../define-command.ts';
import { describeToken } from '../describe-token.ts';
import { checkToken } from '../login/check-token.ts';

export function addWhoami(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'whoami',
    summary: 'Show who you are signed in as and what the token may do',
    example: 'servicectl whoami --json',
  }).action((options: Common) => whoami(cli, options));
}

async function whoami({ host, output }: Cli, options: Common): Promise<void> {
  const account = await findAccount(host, options);
  const token = requireToken(account);
  await checkToken(account.url, token);
  const { user, organization, workspace, scopes = [], expiresAt } = describeToken(token) ?? {};
  const person =
    account.session === undefined
      ? undefined
      : await (
          await import('../api/typed-clients.ts')
        )
          .webClient(account)
          .me()
          .then((me) => me.user);
  const about = {
    url: account.url,
    source: account.source === 'environment' ? 'SERVICE_TOKEN' : 'login',
    user: person ?? (user === undefined ? null : { id: user }),
    organization: account.stored?.organization ?? (organization === undefined ? null : { id: organization }),
    workspace: workspace ?? null,
    workspaceInUse: account.stored?.workspace ?? null,
    scopes,
    expiresAt: expiresAt ?? null,
    session: account.session !== undefined,
  };
  if (options.json) return output.json(about);
  output.table(
    ['', ''],
    [
      ['service', about.url],
      ['user', person ? `${person.name} <${person.email}>` : (user ?? 'unknown')],
      ['organization', account.stored?.organization?.name ?? organization ?? 'none'],
      [
        'workspace',
        account.stored?.workspace
          ? `${account.stored.workspace.name} by default`
          : (workspace ?? 'any (default: Default)'),
      ],
      ['scopes', scopes.join(' ')],
      ['token from', about.source],
      ['expires', expiresAt ?? 'never'],
    ],
  );
}
