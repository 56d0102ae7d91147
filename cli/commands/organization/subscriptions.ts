import { type Command, Option } from 'commander';
import { findAccount, requireToken } from '../../account.ts';
import type { RuntimeClient } from '../../api/typed-clients.ts';
import { confirm, YES } from '../../confirm.ts';
import { inWorkspace } from '../../connections-api.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../../define-command.ts';
import { usage } from '../../failure.ts';
import { listAll } from '../../list-all.ts';
import type { SubscriptionEvent } from '../../../src/contract/subscriptions/subscriptions.ts';

/** The same as in src/contract/subscriptions, which is loaded only on demand. */
export const EVENTS = [
  'run.completed',
  'run.failed',
  'run.aborted',
  'schedule.paused',
  'connection.invalid',
  'cap.reached',
] as const satisfies readonly SubscriptionEvent[];

interface InWorkspace extends Common {
  readonly workspace?: string;
}
interface CreateOptions extends InWorkspace {
  readonly event: SubscriptionEvent[];
}
interface ChangeOptions extends Common {
  readonly address?: string;
  readonly event: SubscriptionEvent[];
  readonly enable?: true;
  readonly disable?: true;
}
interface DeliveriesOptions extends Common {
  readonly limit: string;
  readonly cursor?: string;
}

type Subscription = Awaited<ReturnType<RuntimeClient['subscriptions']['get']>>['subscription'];
type Delivery = Awaited<ReturnType<RuntimeClient['subscriptions']['replay']>>['delivery'];

const PAGE_MAX = 200;

export function addSubscriptions(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'subscriptions',
    summary:
      'Addresses that are told what happens: list (the default), create, show, change, remove, deliveries, replay',
    example: 'servicectl subscriptions',
  });
  const events = (about: string): Option => new Option('--event <events...>', about).choices(EVENTS).default([], '');
  defineCommand(group, {
    name: 'list',
    summary: 'List the subscriptions that you manage',
    example: 'servicectl subscriptions list --workspace research',
    isDefault: true,
  })
    .option('--workspace <workspace>', 'only those of this workspace, by ID or slug')
    .action((options: InWorkspace) => list(cli, options));
  defineCommand(group, {
    name: 'create <address>',
    summary: 'Have an address told what happens, and print the secret that signs its messages; it is shown only once',
    example: 'servicectl subscriptions create https://hooks.example.com/runs --event run.failed run.aborted',
  })
    .addOption(events('what it is told (default: everything)'))
    .option('--workspace <workspace>', 'only of this workspace, by ID or slug (default: the whole organization)')
    .action((address: string, options: CreateOptions) => create(cli, address, options));
  defineCommand(group, {
    name: 'show <subscription>',
    summary: 'Show a subscription',
    example: 'servicectl subscriptions show sub_01k…',
  }).action((id: string, options: Common) => show(cli, id, options));
  defineCommand(group, {
    name: 'change <subscription>',
    summary: 'Change the address or the events of a subscription, or turn it on or off',
    example: 'servicectl subscriptions change sub_01k… --enable',
  })
    .option('--address <address>', 'the new address; the secret stays')
    .addOption(events('what it is told from now on'))
    .option('--enable', 'turn it on')
    .option('--disable', 'turn it off')
    .action((id: string, options: ChangeOptions) => change(cli, id, options));
  defineCommand(group, {
    name: 'remove <subscription>',
    summary: 'Remove a subscription, with its deliveries',
    example: 'servicectl subscriptions remove sub_01k…',
  })
    .option(...YES)
    .action((id: string, options: Common & { yes?: boolean }) => remove(cli, id, options));
  defineCommand(group, {
    name: 'deliveries <subscription>',
    summary: 'List what was sent in the last seven days, newest first',
    example: 'servicectl subscriptions deliveries sub_01k…',
  })
    .option('--limit <count>', `how many to show, at most ${PAGE_MAX}`, '50')
    .option('--cursor <cursor>', 'continue from the previous page')
    .action((id: string, options: DeliveriesOptions) => deliveries(cli, id, options));
  defineCommand(group, {
    name: 'replay <subscription> <delivery>',
    summary: 'Send a message again, under the same ID',
    example: 'servicectl subscriptions replay sub_01k… msg_019…',
  }).action((id: string, delivery: string, options: Common) => replay(cli, id, delivery, options));
}

async function open({ host }: Cli, options: Common): Promise<RuntimeClient['subscriptions']> {
  const account = await findAccount(host, options);
  requireToken(account);
  const { runtimeClient } = await import('../../api/typed-clients.ts');
  return runtimeClient(account).subscriptions;
}

function stateOf({ enabled, disabled, failingSince }: Subscription): string {
  if (!enabled) return disabled?.reason === 'by_person' ? 'off' : `off (${disabled?.reason})`;
  return failingSince === undefined ? 'enabled' : `failing since ${failingSince}`;
}

async function list(cli: Cli, options: InWorkspace): Promise<void> {
  const client = await open(cli, options);
  const subscriptions = await listAll(
    (cursor) => client.list({ ...inWorkspace(options.workspace), ...cursor }),
    (page) => page.subscriptions,
  );
  if (options.json) return cli.output.json({ subscriptions });
  if (subscriptions.length === 0)
    cli.output.say('There are no subscriptions. Make one with: servicectl subscriptions create <address>');
  cli.output.table(
    ['SUBSCRIPTION', 'STATE', 'WORKSPACE', 'EVENTS', 'ADDRESS'],
    subscriptions.map((one) => [one.id, stateOf(one), one.workspace ?? '-', one.events.join(' '), one.url]),
  );
}

async function create(cli: Cli, url: string, options: CreateOptions): Promise<void> {
  const client = await open(cli, options);
  const made = await client.create({
    url,
    events: options.event.length === 0 ? [...EVENTS] : options.event,
    ...inWorkspace(options.workspace),
  });
  if (options.json) return cli.output.json(made);
  cli.output.line(made.secret);
  cli.output.say(`${made.subscription.id} is told. The secret verifies its messages, and is not shown again.`);
}

async function show(cli: Cli, id: string, options: Common): Promise<void> {
  const { subscription } = await (await open(cli, options)).get({ id });
  if (options.json) return cli.output.json({ subscription });
  cli.output.table(
    ['', ''],
    [
      ['subscription', subscription.id],
      ['state', stateOf(subscription)],
      ['address', subscription.url],
      ['events', subscription.events.join(' ')],
      ['workspace', subscription.workspace ?? 'the whole organization'],
      ['created', subscription.createdAt],
      ['created by', subscription.createdBy],
    ],
  );
}

async function change(cli: Cli, id: string, options: ChangeOptions): Promise<void> {
  if (options.enable && options.disable) throw usage('use only one of --enable and --disable');
  const enabled = options.enable ?? (options.disable ? false : undefined);
  if (options.address === undefined && options.event.length === 0 && enabled === undefined)
    throw usage('say what to change', 'For example: --enable');
  const { subscription } = await (
    await open(cli, options)
  ).change({
    id,
    ...(options.address === undefined ? {} : { url: options.address }),
    ...(options.event.length === 0 ? {} : { events: options.event }),
    ...(enabled === undefined ? {} : { enabled }),
  });
  if (options.json) return cli.output.json({ subscription });
  cli.output.say(`Changed ${id}: ${stateOf(subscription)}.`);
}

async function remove(cli: Cli, id: string, options: Common & { yes?: boolean }): Promise<void> {
  const client = await open(cli, options);
  await confirm(cli, `Remove ${id}? Messages that wait are not sent.`, options);
  await client.remove({ id });
  if (options.json) return cli.output.json({ removed: id });
  cli.output.say(`Removed ${id}.`);
}

async function deliveries(cli: Cli, id: string, options: DeliveriesOptions): Promise<void> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_MAX)
    throw usage(`--limit takes a whole number from 1 to ${PAGE_MAX}`);
  const page = await (
    await open(cli, options)
  ).deliveries({ id, limit, ...(options.cursor === undefined ? {} : { cursor: options.cursor }) });
  if (options.json) return cli.output.json(page);
  if (page.deliveries.length === 0) cli.output.say('Nothing was sent in the last seven days.');
  cli.output.table(
    ['DELIVERY', 'EVENT', 'STATE', 'TRIES', 'CREATED', 'LAST ANSWER'],
    page.deliveries.map((one) => [one.id, one.event, one.state, String(one.tries), one.createdAt, answerOf(one)]),
  );
  if (page.cursor !== undefined)
    cli.output.say(`To see more: servicectl subscriptions deliveries ${id} --cursor ${page.cursor}`);
}

function answerOf({ failure, status }: Delivery): string {
  return failure ?? (status === undefined ? '-' : String(status));
}

async function replay(cli: Cli, id: string, delivery: string, options: Common): Promise<void> {
  const answer = await (await open(cli, options)).replay({ id, delivery });
  if (options.json) return cli.output.json(answer);
  cli.output.say(`${delivery} is sent again.`);
}
