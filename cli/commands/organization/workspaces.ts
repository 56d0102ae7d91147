import { Argument, type Command, Option } from 'commander';
import type { WebClient } from '../../api/typed-clients.ts';
import { configDirectory } from '../../config-directory.ts';
import { confirm, YES } from '../../confirm.ts';
import { readCredentials, type StoredAccount, withChanged, writeCredentials } from '../../credentials.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../../define-command.ts';
import { Failure } from '../../failure.ts';
import { findMember, listMembers, ROLES } from '../../find-member.ts';
import { asSentence } from '../../join-texts.ts';
import { listAll } from '../../list-all.ts';
import { openOrganization } from '../../organization-of.ts';
import { MEMBER, MEMBER_HEADS, memberRow, ROLE, withArticle } from './members.ts';
import type { Role } from '../../../src/contract/common.ts';
import type { Workspace } from '../../../src/contract/workspaces.ts';

type YesOptions = Common & { readonly yes?: boolean };

export function addWorkspaces(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'workspaces',
    summary: 'The workspaces of your organization: list (the default), use, create, rename, delete, members',
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
  defineCommand(group, {
    name: 'create <name>',
    summary: 'Create a workspace; you become its owner',
    example: 'servicectl workspaces create Research',
  })
    .option('--slug <slug>', 'its slug, which is part of addresses (default: made from the name)')
    .action((name: string, options: Common & { slug?: string }) => create(cli, name, options));
  defineCommand(group, {
    name: 'rename <workspace> <name>',
    summary: 'Rename a workspace, by ID or slug',
    example: 'servicectl workspaces rename research "Research and design"',
  })
    .option('--slug <slug>', 'also change its slug; addresses with the old one stop working')
    .action((workspace: string, name: string, options: Common & { slug?: string }) =>
      rename(cli, workspace, name, options),
    );
  defineCommand(group, {
    name: 'delete <workspace>',
    summary: 'Delete a workspace, by ID or slug, with its connections',
    example: 'servicectl workspaces delete research --yes',
  })
    .option(...YES)
    .action((workspace: string, options: YesOptions) => remove(cli, workspace, options));
  addWorkspaceMembers(group, cli);
}

function addWorkspaceMembers(workspaces: Command, cli: Cli): void {
  const group = defineGroup(workspaces, {
    name: 'members',
    summary: 'The members of a workspace: list, add, role, remove',
    example: 'servicectl workspaces members list research',
  });
  defineCommand(group, {
    name: 'list <workspace>',
    summary: 'List the members of a workspace, by ID or slug',
    example: 'servicectl workspaces members list research',
  }).action((workspace: string, options: Common) => listIn(cli, workspace, options));
  defineCommand(group, {
    name: 'add <workspace>',
    summary: 'Add a member of the organization to a workspace',
    example: 'servicectl workspaces members add research grace@example.com',
  })
    .addArgument(new Argument(...MEMBER))
    .addOption(new Option('--role <role>', 'their role').choices(ROLES).default('member'))
    .action((workspace: string, member: string, { role, ...options }: Common & { role: Role }) =>
      addTo(cli, { workspace, member, role }, options),
    );
  defineCommand(group, {
    name: 'role <workspace>',
    summary: "Change a member's role in a workspace",
    example: 'servicectl workspaces members role research grace@example.com admin',
  })
    .addArgument(new Argument(...MEMBER))
    .addArgument(new Argument(...ROLE).choices(ROLES))
    .action((workspace: string, member: string, role: Role, options: Common) =>
      changeRole(cli, { workspace, member, role }, options),
    );
  defineCommand(group, {
    name: 'remove <workspace>',
    summary: 'Remove a member from a workspace; you may remove yourself',
    example: 'servicectl workspaces members remove research grace@example.com --yes',
  })
    .addArgument(new Argument(...MEMBER))
    .option(...YES)
    .action((workspace: string, member: string, options: YesOptions) => removeFrom(cli, workspace, member, options));
}

async function open(cli: Cli, options: Common) {
  const { account, client, org } = await openOrganization(cli, options);
  const all = await listAll(
    (cursor) => client.workspaces.list({ org, ...cursor }),
    ({ workspaces }) => workspaces,
  );
  return { account, client, org, all };
}

/** By ID or slug. */
function findOne(all: readonly Workspace[], wanted: string): Workspace {
  const found = all.find(({ id, slug }) => id === wanted || slug === wanted);
  if (found) return found;
  throw new Failure(`there is no workspace '${wanted}' that you can see`, {
    error: 'workspace_not_found',
    next: `Choose one of: ${all.map(({ slug }) => slug).join(', ')}`,
  });
}

async function list(cli: Cli, options: Common): Promise<void> {
  const { output } = cli;
  const { account, all: workspaces } = await open(cli, options);
  const inUse = account.stored?.workspace?.id;
  if (options.json) return output.json({ workspaces: workspaces.map((one) => ({ ...one, inUse: one.id === inUse })) });
  output.table(
    ['IN USE', 'WORKSPACE', 'NAME', 'ROLE', 'ID'],
    workspaces.map(({ id, slug, name, role }) => [id === inUse ? '*' : '', slug, name, role ?? '-', id]),
  );
}

async function use(cli: Cli, wanted: string | undefined, options: Common): Promise<void> {
  const { host, output } = cli;
  const { account, all } = await open(cli, options);
  const found = wanted === undefined ? undefined : findOne(all, wanted);
  const chosen = found && { id: found.id, slug: found.slug, name: found.name };
  const { workspace: _before, ...rest } = account.stored as StoredAccount;
  const directory = configDirectory(host);
  await writeCredentials(
    directory,
    withChanged(await readCredentials(directory), { ...rest, ...(chosen ? { workspace: chosen } : {}) }),
  );
  if (options.json) return output.json({ workspace: chosen ?? null });
  output.say(
    chosen
      ? asSentence(`Commands now use ${chosen.name} unless you name another workspace`)
      : "Commands use the token's workspace again, or Default.",
  );
}

async function create(cli: Cli, name: string, { slug, ...options }: Common & { slug?: string }): Promise<void> {
  const { client, org } = await openOrganization(cli, options);
  const { workspace } = await client.workspaces.create({ org, name, ...(slug === undefined ? {} : { slug }) });
  if (options.json) return cli.output.json({ workspace });
  cli.output.line(workspace.slug);
  cli.output.say(`Created ${workspace.name}. To use it by default: servicectl workspaces use ${workspace.slug}`);
}

async function rename(
  cli: Cli,
  wanted: string,
  name: string,
  { slug, ...options }: Common & { slug?: string },
): Promise<void> {
  const { client, all } = await open(cli, options);
  const { id: ws } = findOne(all, wanted);
  const { workspace } = await client.workspaces.update({ ws, name, ...(slug === undefined ? {} : { slug }) });
  if (options.json) return cli.output.json({ workspace });
  cli.output.say(`Renamed to ${workspace.name} (${workspace.slug}).`);
}

async function remove(cli: Cli, wanted: string, options: YesOptions): Promise<void> {
  const { client, all } = await open(cli, options);
  const { id: ws, name, slug } = findOne(all, wanted);
  await confirm(cli, `Delete the workspace ${name} with its connections?`, options);
  await client.workspaces.remove({ ws });
  if (options.json) return cli.output.json({ deleted: { id: ws, slug } });
  cli.output.say(asSentence(`Deleted ${name}`));
}

interface Place {
  readonly workspace: string;
  readonly member: string;
  readonly role: Role;
}

async function membersOf(client: WebClient, ws: string) {
  return listAll(
    (cursor) => client.workspaces.members.list({ ws, ...cursor }),
    ({ members }) => members,
  );
}

async function listIn(cli: Cli, wanted: string, options: Common): Promise<void> {
  const { client, all } = await open(cli, options);
  const members = await membersOf(client, findOne(all, wanted).id);
  if (options.json) return cli.output.json({ members });
  cli.output.table(MEMBER_HEADS, members.map(memberRow));
}

async function addTo(cli: Cli, { workspace, member: wanted, role }: Place, options: Common): Promise<void> {
  const { client, org, all } = await open(cli, options);
  const { id: ws, name } = findOne(all, workspace);
  const { user } = findMember(await listMembers(client, org), wanted);
  const { member } = await client.workspaces.members.add({ ws, user, role });
  if (options.json) return cli.output.json({ member });
  cli.output.say(asSentence(`${member.email} is now ${withArticle(role)} of ${name}`));
}

async function changeRole(cli: Cli, { workspace, member: wanted, role }: Place, options: Common): Promise<void> {
  const { client, all } = await open(cli, options);
  const { id: ws, name } = findOne(all, workspace);
  const { user } = findMember(await membersOf(client, ws), wanted, 'this workspace');
  const { member } = await client.workspaces.members.update({ ws, user, role });
  if (options.json) return cli.output.json({ member });
  cli.output.say(asSentence(`${member.email} is now ${withArticle(role)} of ${name}`));
}

async function removeFrom(cli: Cli, workspace: string, wanted: string, options: YesOptions): Promise<void> {
  const { client, all } = await open(cli, options);
  const { id: ws, name } = findOne(all, workspace);
  const { user, email } = findMember(await membersOf(client, ws), wanted, 'this workspace');
  await confirm(cli, `Remove ${email} from ${name}?`, options);
  await client.workspaces.members.remove({ ws, user });
  if (options.json) return cli.output.json({ removed: { user, email } });
  cli.output.say(asSentence(`Removed ${email} from ${name}`));
}
