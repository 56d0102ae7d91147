import { Argument, type Command } from 'commander';
import { findAccount } from '../account.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../define-command.ts';
import { usage } from '../failure.ts';
import { listAll } from '../list-all.ts';
import { organizationOf } from '../organization-of.ts';
import type { CapSubject } from '../../src/contract/spend.ts';
import { dollars } from './usage.ts';

export function addCaps(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'caps',
    summary: 'Monthly caps of members, workspaces and tokens: list (the default), set, remove',
    example: 'servicectl caps',
  });
  defineCommand(group, {
    name: 'list',
    summary: 'List the caps of your organization, with what is spent and left',
    example: 'servicectl caps list',
    isDefault: true,
  }).action((options: Common) => list(cli, options));
  defineCommand(group, {
    name: 'set',
    summary: 'Set the cap of a member, workspace or token, in US dollars per calendar month (UTC)',
    example: 'servicectl caps set workspace research 250',
  })
    .addArgument(new Argument('<kind>', 'whose cap it is').choices(['member', 'workspace', 'token']))
    .argument('<subject>', "the member's email or ID, the workspace's slug or ID, the token's ID")
    .argument('<amount>', 'US dollars, such as 25 or 2.50')
    .action((kind: CapSubject['kind'], subject: string, amount: string, options: Common) =>
      set(cli, { kind, id: subject }, amount, options),
    );
  defineCommand(group, {
    name: 'remove <cap>',
    summary: 'Remove a cap, by its ID',
    example: 'servicectl caps remove cap_01k5',
  }).action((cap: string, options: Common) => remove(cli, cap, options));
}

async function open({ host }: Cli, options: Common) {
  const account = await findAccount(host, options);
  const { webClient } = await import('../api/typed-clients.ts');
  return { client: webClient(account), org: organizationOf(account) };
}

async function list(cli: Cli, options: Common): Promise<void> {
  const { client, org } = await open(cli, options);
  const caps = await listAll(
    (cursor) => client.spend.caps.list({ org, ...cursor }),
    (page) => page.caps,
  );
  if (options.json) return cli.output.json({ caps });
  if (caps.length === 0)
    return cli.output.say('There are no caps. Set one with: servicectl caps set member <email> <amount>');
  cli.output.table(
    ['KIND', 'NAME', 'MONTHLY', 'SPENT', 'LEFT', 'ID'],
    caps.map((cap) => [
      cap.subject.kind,
      cap.name,
      dollars(cap.monthlyUsd),
      dollars(cap.spent),
      dollars(cap.remaining),
      cap.id,
    ]),
  );
}

async function set(cli: Cli, subject: CapSubject, amount: string, options: Common): Promise<void> {
  const monthlyUsd = Number(amount);
  if (amount.trim() === '' || !(monthlyUsd >= 0)) throw usage('the amount is a number such as 25 or 2.50');
  const { client, org } = await open(cli, options);
  const byEmail =
    subject.kind === 'member' && subject.id.includes('@')
      ? (
          await listAll(
            (cursor) => client.organizations.members.list({ org, ...cursor }),
            (page) => page.members,
          )
        ).find(({ email }) => email === subject.id.toLowerCase())?.user
      : undefined;
  const cap = await client.spend.caps.put({ org, subject: { ...subject, id: byEmail ?? subject.id }, monthlyUsd });
  if (options.json) return cli.output.json(cap);
  cli.output.say(`${cap.name} may spend ${dollars(cap.monthlyUsd)} per month; ${dollars(cap.remaining)} is left.`);
}

async function remove(cli: Cli, cap: string, options: Common): Promise<void> {
  const { client, org } = await open(cli, options);
  await client.spend.caps.remove({ org, cap });
  if (options.json) return cli.output.json({ removed: cap });
  cli.output.say('The cap is removed.');
}
