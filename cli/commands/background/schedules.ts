import { type Command, Option } from 'commander';
import { findAccount } from '../../account.ts';
import { inWorkspace } from '../../connections-api.ts';
import { confirm, YES } from '../../confirm.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../../define-command.ts';
import { usage } from '../../failure.ts';
import { listAll } from '../../list-all.ts';
import { planRun, type PlannedRunOptions, withPlannedRun } from '../../runs/planned-run.ts';
import { describeState, describeTimes, openSchedules, type ScheduleView } from '../../runs/schedules-api.ts';
import type { CatchUp, Overlap } from '../../../src/contract/standing/schedules.ts';

interface CreateOptions extends PlannedRunOptions {
  readonly name?: string;
  readonly cron?: string;
  readonly timezone?: string;
  readonly every?: string;
  readonly at?: string;
  readonly overlap?: Overlap;
  readonly catchUp?: CatchUp;
}

export function addSchedules(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'schedules',
    summary: 'Runs at planned times: list (the default), create, show, pause, resume, run, firings, delete',
    example: 'servicectl schedules',
  });
  defineCommand(group, {
    name: 'list',
    summary: 'List your schedules; as an owner or admin, all',
    example: 'servicectl schedules list',
    isDefault: true,
  })
    .option('--workspace <workspace>', 'only schedules of this workspace, by ID or slug (default: all of yours)')
    .action((options: Common & { workspace?: string }) => list(cli, options));
  addCreate(group, cli);
  const named = (
    name: string,
    summary: string,
    act: (cli: Cli, id: string, options: Common) => Promise<void>,
  ): void => {
    defineCommand(group, { name: `${name} <schedule>`, summary, example: `servicectl schedules ${name} sch_…` }).action(
      (id: string, options: Common) => act(cli, id, options),
    );
  };
  named('show', 'Show a schedule', show);
  named('pause', 'Turn a schedule off', (...given) => turn(...given, false));
  named('resume', 'Turn a schedule on; it then acts with the token in use', (...given) => turn(...given, true));
  named('run', 'Start the run of a schedule now, once', runNow);
  defineCommand(group, {
    name: 'firings <schedule>',
    summary: 'List what became of the planned times of a schedule, the newest first',
    example: 'servicectl schedules firings sch_…',
  })
    .option('--cursor <cursor>', 'continue from the previous page')
    .action((id: string, options: Common & { cursor?: string }) => firings(cli, id, options));
  defineCommand(group, {
    name: 'delete <schedule>',
    summary: 'Delete a schedule with its history; its runs stay',
    example: 'servicectl schedules delete sch_…',
  })
    .option(...YES)
    .action((id: string, options: Common & { yes?: boolean }) => remove(cli, id, options));
}

function addCreate(group: Command, cli: Cli): void {
  withPlannedRun(
    defineCommand(group, {
      name: 'create [objective]',
      summary:
        'Start a run at planned times, with the access of the token in use (- reads the objective from standard input)',
      brief: 'Start a run at planned times',
      example: 'servicectl schedules create "Summarise the open issues" --cron "0 9 * * 1-5" --timezone Europe/Berlin',
    })
      .option('--name <name>', 'its name (default: the beginning of the objective, or the name of the recipe)')
      .option('--cron <line>', 'five fields: minute, hour, day of the month, month, day of the week')
      .option('--timezone <zone>', 'the time zone of --cron (default: that of this machine)')
      .option('--every <seconds>', 'an interval')
      .option('--at <time>', 'one moment, such as 2027-01-31T09:00:00Z')
      .addOption(
        new Option('--overlap <what>', 'when the last run has not ended (default: skip)').choices([
          'skip',
          'queue',
          'abort',
        ]),
      )
      .addOption(
        new Option('--catch-up <what>', 'after the service was stopped: one run, or none (default: one)').choices([
          'one',
          'none',
        ]),
      ),
  ).action((objective: string | undefined, options: CreateOptions) => create(cli, objective, options));
}

const PAGE = 200;

async function open({ host }: Cli, options: Common) {
  return openSchedules(await findAccount(host, options));
}

async function list(cli: Cli, options: Common & { workspace?: string }): Promise<void> {
  const client = await open(cli, options);
  const schedules = await listAll(
    (cursor) => client.list({ ...inWorkspace(options.workspace), limit: 200, ...cursor }),
    (page) => page.schedules,
  );
  if (options.json) return cli.output.json({ schedules });
  if (schedules.length === 0)
    return cli.output.say(
      'There are no schedules. Make one with: servicectl schedules create "<objective>" --cron "<line>"',
    );
  cli.output.table(
    ['SCHEDULE', 'NAME', 'STATE', 'TIMES', 'NEXT'],
    schedules.map((one) => [one.id, one.name, describeState(one), describeTimes(one), one.nextAt ?? '']),
  );
}

const EXAMPLE = 'servicectl schedules create "Summarise the open issues" --every 86400';

async function create(cli: Cli, objective: string | undefined, options: CreateOptions): Promise<void> {
  const { host, output } = cli;
  const account = await findAccount(host, options);
  const { name, run } = await planRun(cli, account, objective, { options, example: EXAMPLE });
  const client = await openSchedules(account);
  const { schedule } = await client.create({
    name: options.name ?? name,
    run,
    ...readTimes(options),
    ...(options.overlap === undefined ? {} : { overlap: options.overlap }),
    ...(options.catchUp === undefined ? {} : { catchUp: options.catchUp }),
  });
  if (options.json) return output.json({ schedule });
  output.line(schedule.id);
  output.say(`It starts its first run at ${schedule.nextAt ?? 'no time'}.`);
}

function readTimes({ cron, timezone, every, at }: CreateOptions) {
  if (cron !== undefined && every === undefined && at === undefined)
    return { cron, timezone: timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone };
  const seconds = every === undefined ? undefined : Number(every);
  if (seconds !== undefined && !Number.isInteger(seconds)) throw usage('--every takes a whole number of seconds');
  return {
    ...(cron === undefined ? {} : { cron }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(seconds === undefined ? {} : { every: seconds }),
    ...(at === undefined ? {} : { at }),
  };
}

async function show(cli: Cli, id: string, options: Common): Promise<void> {
  const client = await open(cli, options);
  showOne(cli, options, (await client.get({ id })).schedule);
}

function showOne({ output }: Cli, { json }: Common, schedule: ScheduleView): void {
  if (json) return output.json({ schedule });
  const { run } = schedule;
  output.table(
    ['FIELD', 'VALUE'],
    Object.entries({
      schedule: schedule.id,
      name: schedule.name,
      state: describeState(schedule),
      times: describeTimes(schedule),
      next: schedule.nextAt,
      overlap: schedule.overlap,
      'catch-up': schedule.catchUp,
      'last run': schedule.lastRun,
      workspace: run.workspace,
      kind: run.kind,
      model: run.model,
      capabilities: run.capabilities.join(', ') || undefined,
      environment: run.environment,
      deliver: run.deliver,
      'made by': schedule.createdBy,
    }).flatMap(([field, value]) => (value === undefined ? [] : [[field, value]])),
  );
  output.line('');
  output.line(run.objective);
}

async function turn(cli: Cli, id: string, options: Common, enabled: boolean): Promise<void> {
  const client = await open(cli, options);
  const { schedule } = await client.update({ id, enabled });
  if (options.json) return cli.output.json({ schedule });
  cli.output.say(enabled ? `${id} is on. Its next run is at ${schedule.nextAt ?? 'no time'}.` : `${id} is off.`);
}

async function runNow(cli: Cli, id: string, options: Common): Promise<void> {
  const client = await open(cli, options);
  const { job } = await client.run({ id });
  if (options.json) return cli.output.json({ job });
  cli.output.line(job.id);
  cli.output.say(`Follow it with: servicectl job ${job.id} --follow`);
}

async function firings(cli: Cli, id: string, options: Common & { cursor?: string }): Promise<void> {
  const client = await open(cli, options);
  const page = options.cursor === undefined ? {} : { cursor: options.cursor };
  const { firings: found, cursor } = await client.firings({ id, limit: PAGE, ...page });
  if (options.json) return cli.output.json({ firings: found, ...(cursor === undefined ? {} : { cursor }) });
  if (found.length === 0) return cli.output.say('None of its times has come yet.');
  cli.output.table(
    ['PLANNED', 'OUTCOME', 'JOB', 'WHY'],
    found.map(({ plannedAt, outcome, job, code }) => [plannedAt, outcome, job ?? '', code ?? '']),
  );
  if (cursor !== undefined) cli.output.say(`To see more: servicectl schedules firings ${id} --cursor ${cursor}`);
}

async function remove(cli: Cli, id: string, options: Common & { yes?: boolean }): Promise<void> {
  await confirm(cli, `Delete ${id} with its history?`, options);
  const client = await open(cli, options);
  await client.remove({ id });
  if (options.json) return cli.output.json({ deleted: id });
  cli.output.say(`${id} is deleted.`);
}
