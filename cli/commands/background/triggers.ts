import { type Command, Option } from 'commander';
import { type Account, findAccount, requireToken } from '../../account.ts';
import { type TriggerSource, TRIGGER_SOURCE_NAMES } from '../../../src/contract/standing/trigger-rules.ts';
import type { TriggerCondition } from '../../../src/contract/standing/triggers.ts';
import type { RuntimeClient } from '../../api/typed-clients.ts';
import { confirm, YES } from '../../confirm.ts';
import { inWorkspace } from '../../connections-api.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../../define-command.ts';
import { usage } from '../../failure.ts';
import { collect, planRun, type PlannedRunOptions, withPlannedRun } from '../../runs/planned-run.ts';
import { describeCondition, parseCondition } from '../../../src/contract/standing/condition-text.ts';

type TriggerView = Awaited<ReturnType<RuntimeClient['triggers']['get']>>['trigger'];
type Made = Awaited<ReturnType<RuntimeClient['triggers']['create']>>;

interface ListOptions extends Common {
  readonly workspace?: string;
  readonly limit: string;
  readonly cursor?: string;
}
interface CreateOptions extends PlannedRunOptions {
  readonly name: string;
  readonly source: TriggerSource;
  readonly filter: string[];
  readonly secretFrom?: string;
}
interface TestOptions extends Common {
  readonly payload?: string;
  readonly event?: string;
  readonly delivery?: string;
}

const PAGE_MAX = 200;
const SECRET_FROM = [
  '--secret-from <file>',
  'the secret that the sender shows, from a file; - is standard input',
] as const;

const paged = (command: Command): Command =>
  command
    .option('--limit <count>', `how many to show, at most ${PAGE_MAX}`, '50')
    .option('--cursor <cursor>', 'continue from the previous page');

export function addTriggers(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'triggers',
    summary:
      'Runs that something outside starts: list (the default), create, show, pause, resume, rotate, deliveries, replay, test, delete',
    example: 'servicectl triggers',
  });
  paged(
    defineCommand(group, {
      name: 'list',
      summary: 'List your triggers; for owners and admins, all',
      example: 'servicectl triggers list',
      isDefault: true,
    }).option('--workspace <workspace>', 'only triggers of this workspace, by ID or slug'),
  ).action((options: ListOptions) => list(cli, options));
  withPlannedRun(
    defineCommand(group, {
      name: 'create [objective]',
      summary: 'Make a trigger; {{path.to.field}} in the objective is filled with what is delivered',
      example:
        'servicectl triggers create "Sort the issue {{issue.title}}" --name issues --source github --filter @event=issues',
    })
      .requiredOption('--name <name>', 'what to call it')
      .addOption(new Option('--source <source>', 'who delivers').choices(TRIGGER_SOURCE_NAMES).default('generic'))
      .option(
        '--filter <condition>',
        'only deliveries for which it holds: path=value, path=["one","other"], path? or path!; repeatable',
        collect,
        [],
      )
      .option(...SECRET_FROM),
  ).action((objective: string | undefined, options: CreateOptions) => create(cli, objective, options));
  defineCommand(group, {
    name: 'show <trigger>',
    summary: 'Show a trigger and its address',
    example: 'servicectl triggers show trg_01k0…',
  }).action((id: string, options: Common) => show(cli, id, options));
  for (const [name, enabled, summary] of [
    ['pause', false, 'Turn a trigger off; what is delivered meanwhile is kept for a week'],
    ['resume', true, 'Turn a trigger on again'],
  ] as const)
    defineCommand(group, {
      name: `${name} <trigger>`,
      summary,
      example: `servicectl triggers ${name} trg_01k0…`,
    }).action((id: string, options: Common) => turn(cli, id, enabled, options));
  addUpkeep(group, cli);
}

function addUpkeep(group: Command, cli: Cli): void {
  defineCommand(group, {
    name: 'rotate <trigger>',
    summary: 'Replace the secret; the old one counts for 24 hours more',
    example: 'servicectl triggers rotate trg_01k0…',
  })
    .option(...SECRET_FROM)
    .action((id: string, options: Common & { secretFrom?: string }) => rotate(cli, id, options));
  paged(
    defineCommand(group, {
      name: 'deliveries <trigger>',
      summary: 'What was delivered in the last days, newest first',
      example: 'servicectl triggers deliveries trg_01k0…',
    }),
  ).action((id: string, options: ListOptions) => deliveries(cli, id, options));
  defineCommand(group, {
    name: 'replay <trigger> <delivery>',
    summary: 'Start the run of a delivery once more',
    example: 'servicectl triggers replay trg_01k0… del_01k0…',
  }).action((id: string, delivery: string, options: Common) => replay(cli, id, delivery, options));
  defineCommand(group, {
    name: 'test <trigger>',
    summary: 'Show what a payload would start; nothing is started',
    example: 'servicectl triggers test trg_01k0… --payload issue.json --event issues',
  })
    .option('--payload <file>', 'JSON from a file; - is standard input')
    .option('--event <name>', 'the event that the sender would name')
    .option('--delivery <delivery>', 'a delivery that is kept, in place of a payload')
    .action((id: string, options: TestOptions) => test(cli, id, options));
  defineCommand(group, {
    name: 'delete <trigger>',
    summary: 'Delete a trigger, and what was delivered to it',
    example: 'servicectl triggers delete trg_01k0… --yes',
  })
    .option(...YES)
    .action((id: string, options: Common & { yes?: boolean }) => remove(cli, id, options));
}

async function open({ host }: Cli, options: Common): Promise<RuntimeClient['triggers']> {
  return openTriggers(await findAccount(host, options));
}

async function openTriggers(account: Account): Promise<RuntimeClient['triggers']> {
  requireToken(account);
  const { runtimeClient } = await import('../../api/typed-clients.ts');
  return runtimeClient(account).triggers;
}

function readPage({ limit: given, cursor }: ListOptions): { limit: number; cursor?: string } {
  const limit = Number(given);
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_MAX)
    throw usage(`--limit takes a whole number from 1 to ${PAGE_MAX}`);
  return { limit, ...(cursor === undefined ? {} : { cursor }) };
}

const stateOf = ({ enabled, paused, hasSecret }: TriggerView): string =>
  paused ? `paused (${paused.reason})` : !enabled ? 'off' : hasSecret ? 'on' : 'needs a secret';

async function list(cli: Cli, options: ListOptions): Promise<void> {
  const page = readPage(options);
  const client = await open(cli, options);
  const { triggers, cursor } = await client.list({ ...page, ...inWorkspace(options.workspace) });
  if (options.json) return cli.output.json({ triggers, ...(cursor === undefined ? {} : { cursor }) });
  if (triggers.length === 0)
    cli.output.say('There are no triggers. To make one: servicectl triggers create "<objective>" --name <name>');
  cli.output.table(
    ['TRIGGER', 'NAME', 'SOURCE', 'STATE', 'LAST RUN'],
    triggers.map((one) => [one.id, one.name, one.source, stateOf(one), one.lastRun ?? '-']),
  );
  if (cursor !== undefined) cli.output.say(`To see more: servicectl triggers list --cursor ${cursor}`);
}

async function readSecret({ host }: Cli, from: string | undefined): Promise<{ secret?: string }> {
  if (from === undefined) return {};
  const { readNamed } = await import('../../read-input.ts');
  return { secret: (await readNamed(host, from)).trim() };
}

const EXAMPLE = 'servicectl triggers create "Sort the issue {{issue.title}}" --name issues';

async function create(cli: Cli, objective: string | undefined, options: CreateOptions): Promise<void> {
  const filter = options.filter.map(readCondition);
  const secret = await readSecret(cli, options.secretFrom);
  const account = await findAccount(cli.host, options);
  const { run } = await planRun(cli, account, objective, { options, example: EXAMPLE });
  const client = await openTriggers(account);
  const made = await client.create({ name: options.name, source: options.source, run, filter, ...secret });
  if (options.json) return cli.output.json(made);
  sayMade(cli, made);
}

function readCondition(typed: string): TriggerCondition {
  const condition = parseCondition(typed);
  if (condition) return condition;
  throw usage(
    `${typed} is no condition`,
    'Give path=value, path=["one","other"], path? or path!, such as action=opened.',
  );
}

/** The secret is written to standard output only, and only this once. */
function sayMade({ output }: Cli, { trigger, url, secret }: Made): void {
  output.table(
    ['FIELD', 'VALUE'],
    [['trigger', trigger.id], ['address', url], ...(secret === undefined ? [] : [['secret', secret]])],
  );
  if (secret !== undefined) output.say('Keep the secret now: it is not shown again.');
  else if (!trigger.hasSecret)
    output.say(
      `Nothing is accepted before it has a secret: servicectl triggers rotate ${trigger.id} --secret-from <file>`,
    );
}

async function show(cli: Cli, id: string, options: Common): Promise<void> {
  const { trigger, url } = await (await open(cli, options)).get({ id });
  if (options.json) return cli.output.json({ trigger, url });
  cli.output.table(
    ['FIELD', 'VALUE'],
    [
      ['trigger', trigger.id],
      ['name', trigger.name],
      ['source', trigger.source],
      ['state', stateOf(trigger)],
      ['address', url],
      ['workspace', trigger.run.workspace],
      ['filter', trigger.filter.length === 0 ? '-' : trigger.filter.map(describeCondition).join(' ')],
      ['objective', trigger.run.objective],
      ['last run', trigger.lastRun ?? '-'],
    ],
  );
}

async function turn(cli: Cli, id: string, enabled: boolean, options: Common): Promise<void> {
  const { trigger } = await (await open(cli, options)).update({ id, enabled });
  if (options.json) return cli.output.json({ trigger });
  cli.output.say(`${trigger.name} is ${stateOf(trigger)}.`);
}

async function rotate(cli: Cli, id: string, options: Common & { secretFrom?: string }): Promise<void> {
  const secret = await readSecret(cli, options.secretFrom);
  const made = await (await open(cli, options)).rotate({ id, ...secret });
  if (options.json) return cli.output.json(made);
  sayMade(cli, made);
  const until = made.trigger.oldSecretUntil;
  if (until !== undefined) cli.output.say(`The one before counts until ${until}.`);
}

async function deliveries(cli: Cli, id: string, options: ListOptions): Promise<void> {
  const page = readPage(options);
  const found = await (await open(cli, options)).deliveries({ id, ...page });
  if (options.json) return cli.output.json(found);
  if (found.deliveries.length === 0) cli.output.say('Nothing was delivered in the last days.');
  cli.output.table(
    ['DELIVERY', 'AT', 'EVENT', 'OUTCOME', 'JOB'],
    found.deliveries.map((one) => [
      one.id,
      one.at,
      one.event ?? '-',
      one.code === undefined ? one.outcome : `${one.outcome} (${one.code})`,
      one.job ?? '-',
    ]),
  );
  if (found.cursor !== undefined)
    cli.output.say(`To see more: servicectl triggers deliveries ${id} --cursor ${found.cursor}`);
}

async function replay(cli: Cli, id: string, delivery: string, options: Common): Promise<void> {
  const { job } = await (await open(cli, options)).replay({ id, delivery });
  if (options.json) return cli.output.json({ job });
  cli.output.line(job.id);
  cli.output.say(`Follow it with: servicectl job ${job.id} --follow`);
}

async function test(cli: Cli, id: string, { payload, event, delivery, ...options }: TestOptions): Promise<void> {
  if ((payload === undefined) === (delivery === undefined)) throw usage('give either --payload or --delivery');
  const client = await open(cli, options);
  const tested = await client.test({
    id,
    ...(payload === undefined ? {} : { payload: await readJson(cli, payload) }),
    ...(delivery === undefined ? {} : { delivery }),
    ...(event === undefined ? {} : { event }),
  });
  if (options.json) return cli.output.json(tested);
  cli.output.say(tested.passes ? 'This would start a run:' : 'The filter keeps this out:');
  for (const { path, holds } of tested.filter) cli.output.say(`  ${holds ? '✓' : '✗'} ${path}`);
  cli.output.line(tested.objective);
}

async function readJson({ host }: Cli, from: string): Promise<unknown> {
  const { readNamed } = await import('../../read-input.ts');
  try {
    return JSON.parse(await readNamed(host, from));
  } catch (error) {
    if (error instanceof SyntaxError) throw usage(`${from} is not JSON`);
    throw error;
  }
}

async function remove(cli: Cli, id: string, options: Common & { yes?: boolean }): Promise<void> {
  await confirm(cli, `Delete the trigger ${id}, and what was delivered to it?`, options);
  await (await open(cli, options)).remove({ id });
  if (options.json) return cli.output.json({ deleted: id });
  cli.output.say(`The trigger ${id} is deleted.`);
}
