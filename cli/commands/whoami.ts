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
  const owner = await checkToken(account.url, token);
  const { user, organization, workspace, scopes = [], expiresAt } = describeToken(token) ?? {};
  const about = {
    url: account.url,
    source: account.source === 'environment' ? 'SERVICE_TOKEN' : 'login',
    user: owner.user ?? (user === undefined ? null : { id: user }),
    organization: owner.organization ?? (organization === undefined ? null : { id: organization }),
    workspace: owner.workspace ?? (workspace === undefined ? null : { id: workspace }),
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
      ['user', owner.user ? `${owner.user.name} <${owner.user.email}>` : (user ?? 'unknown')],
      ['organization', owner.organization?.name ?? organization ?? 'none'],
      [
        'workspace',
        account.stored?.workspace
          ? `${account.stored.workspace.name} by default`
          : (owner.workspace?.name ?? workspace ?? 'any (default: Default)'),
      ],
      ['scopes', scopes.join(' ')],
      ['token from', about.source],
      ['expires', expiresAt ?? 'never'],
    ],
  );
}
