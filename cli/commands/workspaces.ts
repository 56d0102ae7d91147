import type { Command } from 'commander';
import { type Account, findAccount } from '../account.ts';
import type { WebClient } from '../api/typed-clients.ts';
import { configDirectory } from '../config-directory.ts';
import { readCredentials, type StoredAccount, withAccount, writeCredentials } from '../credentials.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../define-command.ts';
import { Failure } from '../failure.ts';
import { asSentence } from '../join-texts.ts';
import { listAll } from '../list-all.ts';
import { organizationOf } from '../organization-of.ts';

type Workspace = Awaited<ReturnType<WebClient['workspaces']['list']>>['workspaces'][number];

export function addWorkspaces(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'workspaces',
    summary: 'The workspaces of your organization: list (the default), use',
    example: 'servicectl workspaces',
  });
  defineCommand(group, {
    name: 'list',
    summary: 'List the workspaces that you can see; * marks the one in use',
    example: 'servicectl workspaces list --json',
    isDefault: true,
  }).action((options: Common) => list(cli, options));
  defineCommand(group, {
    name: 'use [workspace]',
    summary: 'Set the default workspace of commands, by ID or slug; without one, reset it',
    example: 'servicectl workspaces use research',
  }).action((workspace: string | undefined, options: Common) => use(cli, workspace, options));
}

async function listWorkspaces(account: Account): Promise<Workspace[]> {
  const { webClient } = await import('../api/typed-clients.ts');
  const client = webClient(account);
  const org = organizationOf(account);
  return listAll(
    (cursor) => client.workspaces.list({ org, ...cursor }),
    ({ workspaces }) => workspaces,
  );
}

async function list({ host, output }: Cli, options: Common): Promise<void> {
  const account = await findAccount(host, options);
  const workspaces = await listWorkspaces(account);
  const inUse = account.stored?.workspace?.id;
  if (options.json) return output.json({ workspaces: workspaces.map((one) => ({ ...one, inUse: one.id === inUse })) });
  output.table(
    ['IN USE', 'WORKSPACE', 'NAME', 'ROLE', 'ID'],
    workspaces.map(({ id, slug, name, role }) => [id === inUse ? '*' : '', slug, name, role ?? '-', id]),
  );
}

async function use({ host, output }: Cli, wanted: string | undefined, options: Common): Promise<void> {
  const account = await findAccount(host, options);
  const all = await listWorkspaces(account);
  const found = wanted === undefined ? undefined : all.find(({ id, slug }) => id === wanted || slug === wanted);
  if (wanted !== undefined && !found)
    throw new Failure(`there is no workspace '${wanted}' that you can see`, {
      error: 'workspace_not_found',
      next: `Choose one of: ${all.map(({ slug }) => slug).join(', ')}`,
    });
  const chosen = found && { id: found.id, slug: found.slug, name: found.name };
  const { workspace: _before, ...rest } = account.stored as StoredAccount;
  const directory = configDirectory(host);
  await writeCredentials(
    directory,
    withAccount(await readCredentials(directory), account.url, { ...rest, ...(chosen ? { workspace: chosen } : {}) }),
  );
  if (options.json) return output.json({ workspace: chosen ?? null });
  output.say(
    chosen
      ? asSentence(`Commands now use ${chosen.name} unless you name another workspace`)
      : "Commands use the token's workspace again, or Default.",
  );
}
