import { Argument, type Command, Option } from 'commander';
import { confirm, YES } from '../../confirm.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../../define-command.ts';
import { findMember, listMembers, ROLES } from '../../find-member.ts';
import { openOrganization } from '../../organization-of.ts';
import type { Member } from '../../../src/contract/organizations.ts';
import type { Role } from '../../../src/contract/common.ts';

type AddOptions = Common & { readonly role: Role };

export const MEMBER = ['<member>', 'a member, by email address or ID'] as const;
export const ROLE = ['<role>', 'the role'] as const;

export function addMembers(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'members',
    summary: 'The members of your organization: list (the default), invite, add, role, remove',
    example: 'servicectl members',
  });
  defineCommand(group, {
    name: 'list',
    summary: 'List the members of your organization',
    example: 'servicectl members list --json',
    isDefault: true,
  }).action((options: Common) => list(cli, options));
  defineCommand(group, {
    name: 'invite <email>',
    summary: 'Invite somebody by email address; prints the link to send them',
    example: 'servicectl members invite grace@example.com --role admin',
  })
    .addOption(new Option('--role <role>', 'their role').choices(ROLES).default('member'))
    .action((email: string, options: AddOptions) => invite(cli, email, options));
  defineCommand(group, {
    name: 'add <email>',
    summary: 'Add somebody who already has an account, without an invitation',
    example: 'servicectl members add grace@example.com',
  })
    .addOption(new Option('--role <role>', 'their role').choices(ROLES).default('member'))
    .action((email: string, options: AddOptions) => add(cli, email, options));
  defineCommand(group, {
    name: 'role',
    summary: "Change a member's role",
    example: 'servicectl members role grace@example.com admin',
  })
    .addArgument(new Argument(...MEMBER))
    .addArgument(new Argument(...ROLE).choices(ROLES))
    .action((member: string, role: Role, options: Common) => changeRole(cli, member, role, options));
  defineCommand(group, {
    name: 'remove',
    summary: 'Remove a member; you may remove yourself',
    example: 'servicectl members remove grace@example.com --yes',
  })
    .addArgument(new Argument(...MEMBER))
    .option(...YES)
    .action((member: string, options: Common & { yes?: boolean }) => remove(cli, member, options));
}

/** The columns of members, of an organization or a workspace. */
export const MEMBER_HEADS = ['EMAIL', 'NAME', 'ROLE', 'SINCE', 'ID'] as const;
export const memberRow = ({ user, name, email, role, createdAt }: Member): string[] => [
  email,
  name,
  role,
  createdAt,
  user,
];

async function list(cli: Cli, options: Common): Promise<void> {
  const { client, org } = await openOrganization(cli, options);
  const members = await listMembers(client, org);
  if (options.json) return cli.output.json({ members });
  cli.output.table(MEMBER_HEADS, members.map(memberRow));
}

async function invite(cli: Cli, email: string, { role, ...options }: AddOptions): Promise<void> {
  const { client, org } = await openOrganization(cli, options);
  const { invitation } = await client.organizations.invitations.create({ org, email, role });
  if (options.json) return cli.output.json({ invitation });
  cli.output.line(invitation.url);
  cli.output.say(`Send this link to ${invitation.email}. It makes them ${withArticle(role)} of the organization.`);
}

async function add(cli: Cli, email: string, { role, ...options }: AddOptions): Promise<void> {
  const { client, org } = await openOrganization(cli, options);
  const { member, account } = await client.organizations.members.add({ org, email, role });
  if (options.json) return cli.output.json({ member, account });
  cli.output.say(`${member.email} is now ${withArticle(role)} of the organization.`);
  if (!account.verified)
    cli.output.say(
      `This address was never verified, and the account was registered at ${account.registeredAt}. If you do not know whose it is, remove it: servicectl members remove ${member.email}`,
    );
}

async function changeRole(cli: Cli, wanted: string, role: Role, options: Common): Promise<void> {
  const { client, org } = await openOrganization(cli, options);
  const { user } = findMember(await listMembers(client, org), wanted);
  const { member } = await client.organizations.members.update({ org, user, role });
  if (options.json) return cli.output.json({ member });
  cli.output.say(`${member.email} is now ${withArticle(role)} of the organization.`);
}

async function remove(cli: Cli, wanted: string, options: Common & { yes?: boolean }): Promise<void> {
  const { client, org } = await openOrganization(cli, options);
  const { user, email } = findMember(await listMembers(client, org), wanted);
  await confirm(cli, `Remove ${email} from the organization and all its workspaces?`, options);
  await client.organizations.members.remove({ org, user });
  if (options.json) return cli.output.json({ removed: { user, email } });
  cli.output.say(`Removed ${email}.`);
}

export function withArticle(role: Role): string {
  return role === 'member' ? 'a member' : `an ${role}`;
}
