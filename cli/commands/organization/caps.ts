import { Argument, type Command } from 'commander';
import type { WebClient } from '../../api/typed-clients.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../../define-command.ts';
import { Failure, usage } from '../../failure.ts';
import { findMember, listMembers } from '../../find-member.ts';
import { listAll } from '../../list-all.ts';
import { openOrganization } from '../../organization-of.ts';
import type { CapSubject } from '../../../src/contract/spend.ts';
import { findToken } from '../tokens.ts';
import { dollars } from '../usage.ts';

type Kind = CapSubject['kind'];
const KINDS = ['member', 'workspace', 'token'] as const satisfies readonly Kind[];

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
    .addArgument(new Argument('<kind>', 'whose cap it is').choices(KINDS))
    .argument('<subject>', "the member's email, the workspace's slug, the token's name, or an ID")
    .argument('<amount>', 'US dollars, such as 25 or 2.50')
    .action((kind: Kind, subject: string, amount: string, options: Common) =>
      set(cli, { kind, id: subject }, amount, options),
    );
  defineCommand(group, {
    name: 'remove',
    summary: 'Remove the cap of a member, workspace or token',
    example: 'servicectl caps remove member ada@example.com',
  })
    .addArgument(new Argument('<kind>', 'whose cap it is').choices(KINDS))
    .argument('<subject>', 'named as in set')
    .action((kind: Kind, subject: string, options: Common) => remove(cli, kind, subject, options));
}

async function open(cli: Cli, options: Common) {
  const { client, org } = await openOrganization(cli, options);
  return {
    client,
    org,
    all: () =>
      listAll(
        (cursor) => client.spend.caps.list({ org, ...cursor }),
        (page) => page.caps,
      ),
  };
}

/** The ID of what is named. The service knows workspaces by their slug too. */
async function findSubject(client: WebClient, org: string, kind: Kind, wanted: string): Promise<string> {
  if (kind === 'member') return findMember(await listMembers(client, org), wanted).user;
  if (kind === 'workspace') {
    const workspaces = await listAll(
      (cursor) => client.workspaces.list({ org, ...cursor }),
      (page) => page.workspaces,
    );
    return workspaces.find(({ id, slug }) => id === wanted || slug === wanted)?.id ?? wanted;
  }
  const tokens = await listAll(
    (cursor) => client.tokens.list({ organization: org, ...cursor }),
    (page) => page.tokens,
  );
  // The list has one's own tokens only: anybody else's is named by its ID.
  return tokens.some(({ name }) => name === wanted) ? findToken(tokens, wanted).id : wanted;
}

async function list(cli: Cli, options: Common): Promise<void> {
  const caps = await (await open(cli, options)).all();
  if (options.json) return cli.output.json({ caps });
  if (caps.length === 0)
    return cli.output.say('There are no caps. Set one with: servicectl caps set member <email> <amount>');
  cli.output.table(
    ['KIND', 'NAME', 'MONTHLY', 'SPENT', 'LEFT', 'RESETS'],
    caps.map((cap) => [
      cap.subject.kind,
      cap.name,
      dollars(cap.monthlyUsd),
      dollars(cap.spent),
      dollars(cap.remaining),
      cap.resetsAt,
    ]),
  );
}

async function set(cli: Cli, { kind, id: wanted }: CapSubject, amount: string, options: Common): Promise<void> {
  const monthlyUsd = Number(amount);
  if (amount.trim() === '' || !(monthlyUsd >= 0)) throw usage('the amount is a number such as 25 or 2.50');
  const { client, org } = await open(cli, options);
  const id = await findSubject(client, org, kind, wanted);
  const cap = await client.spend.caps.put({ org, subject: { kind, id }, monthlyUsd });
  if (options.json) return cli.output.json(cap);
  cli.output.say(`${cap.name} may spend ${dollars(cap.monthlyUsd)} per month; ${dollars(cap.remaining)} is left.`);
}

async function remove(cli: Cli, kind: Kind, wanted: string, options: Common): Promise<void> {
  const { client, org, all } = await open(cli, options);
  const id = await findSubject(client, org, kind, wanted);
  const found = (await all()).find(
    ({ subject, name }) => subject.kind === kind && (subject.id === id || name === wanted),
  );
  if (!found) throw new Failure(`this ${kind} has no cap`, { error: 'cap_not_found', next: 'Run: servicectl caps' });
  await client.spend.caps.remove({ org, cap: found.id });
  if (options.json) return cli.output.json({ removed: found.id });
  cli.output.say(`Removed the cap of ${found.name}.`);
}
