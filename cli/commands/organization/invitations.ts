import type { Command } from 'commander';
import { type Cli, type Common, defineCommand, defineGroup } from '../../define-command.ts';
import { Failure } from '../../failure.ts';
import { listAll } from '../../list-all.ts';
import { openOrganization } from '../../organization-of.ts';

export function addInvitations(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'invitations',
    summary: 'Open invitations to your organization: list (the default), link, revoke. To invite: members invite',
    example: 'servicectl invitations',
  });
  defineCommand(group, {
    name: 'list',
    summary: 'List the open invitations; their links are shown with --json or by link',
    example: 'servicectl invitations list',
    isDefault: true,
  }).action((options: Common) => list(cli, options));
  defineCommand(group, {
    name: 'link <invitation>',
    summary: 'Print the link of an invitation again, by email address or ID, to send it once more',
    example: 'servicectl invitations link grace@example.com',
  }).action((invitation: string, options: Common) => link(cli, invitation, options));
  defineCommand(group, {
    name: 'revoke <invitation>',
    summary: 'Revoke an invitation, by email address or ID: its link stops working',
    example: 'servicectl invitations revoke grace@example.com',
  }).action((invitation: string, options: Common) => revoke(cli, invitation, options));
}

async function open(cli: Cli, options: Common) {
  const { client, org } = await openOrganization(cli, options);
  const { invitations } = client.organizations;
  const all = await listAll(
    (cursor) => invitations.list({ org, ...cursor }),
    (page) => page.invitations,
  );
  return { org, invitations, all };
}

type Invitation = Awaited<ReturnType<typeof open>>['all'][number];

function findOne(all: readonly Invitation[], wanted: string): Invitation {
  const found = all.find(({ id, email }) => id === wanted || email === wanted.toLowerCase());
  if (found) return found;
  throw new Failure('there is no such open invitation', {
    error: 'invitation_not_found',
    next: 'Use an email address or ID. To see them, run: servicectl invitations',
  });
}

async function list(cli: Cli, options: Common): Promise<void> {
  const { all } = await open(cli, options);
  if (options.json) return cli.output.json({ invitations: all });
  if (all.length === 0)
    cli.output.say('There are no open invitations. Invite somebody with: servicectl members invite <email>');
  cli.output.table(
    ['EMAIL', 'ROLE', 'SENT', 'EXPIRES'],
    all.map(({ email, role, createdAt, expiresAt }) => [email, role, createdAt, expiresAt]),
  );
}

async function link(cli: Cli, wanted: string, options: Common): Promise<void> {
  const invitation = findOne((await open(cli, options)).all, wanted);
  if (options.json) return cli.output.json({ invitation });
  cli.output.line(invitation.url);
}

async function revoke(cli: Cli, wanted: string, options: Common): Promise<void> {
  const { org, invitations, all } = await open(cli, options);
  const { id, email } = findOne(all, wanted);
  await invitations.revoke({ org, invitation: id });
  if (options.json) return cli.output.json({ revoked: { id, email } });
  cli.output.say(`Revoked the invitation of ${email}.`);
}
