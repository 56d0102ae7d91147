import type { Command } from 'commander';
import { type Account, findAccount } from '../account.ts';
import { type Cli, type Common, defineCommand, defineGroup } from '../define-command.ts';
import { RAW } from '../chat/write-answer.ts';
import { usage } from '../failure.ts';
import { asSentence } from '../join-texts.ts';
import { type Output, printable } from '../output.ts';
import { describeConfinement, describeWeakness } from '../../src/contract/describe-confinement.ts';
import { addJobChanges } from './background/job-changes.ts';
import { describeEvent } from '../runs/describe-event.ts';
import { openRuns, type RunView } from '../runs/runs-api.ts';
import { showResult } from '../runs/show-result.ts';
import { addSay } from './background/say.ts';

interface Options extends Common {
  readonly follow?: boolean;
  readonly raw?: boolean;
  readonly events?: boolean;
  readonly receipts?: boolean;
  readonly artifacts?: boolean;
  readonly download?: string;
  readonly output?: string;
}

export function addJob(program: Command, cli: Cli): void {
  const group = defineGroup(program, {
    name: 'job',
    summary: 'A background run: show (the default), say, changes, apply',
    example: 'servicectl job job_01k… --follow',
  });
  defineCommand(group, {
    name: 'show <job>',
    summary: 'Show a background run, its events, receipts or files',
    example: 'servicectl job job_01k… --download report.md --output report.md',
    isDefault: true,
  })
    .option('--follow', 'follow the run until it ends, as servicectl run does')
    .option(...RAW)
    .option('--events', 'show its events')
    .option('--receipts', 'show its verified receipts')
    .option('--artifacts', 'list the files that it created')
    .option('--download <name>', 'download one of its files, creating the directories in its name')
    .option(
      '--output <file>',
      'where to write the download (- for standard output; default: its name, unless that file exists)',
    )
    .action((id: string, options: Options) => showJob(cli, id, options));
  addSay(group, cli);
  addJobChanges(group, cli);
}

async function showJob(cli: Cli, id: string, options: Options): Promise<void> {
  const { host, output } = cli;
  const views = (['follow', 'events', 'receipts', 'artifacts', 'download'] as const).filter(
    (view) => options[view] !== undefined,
  );
  if (views.length > 1) throw usage(`use only one of ${views.map((view) => `--${view}`).join(' and ')}`);
  if (options.output !== undefined && options.download === undefined)
    throw usage('--output needs --download', 'For example: --download report.md --output report.md');
  const account = await findAccount(host, options);
  const [view] = views;
  const runs = await openRuns(account);
  if (view === 'follow') return (await import('../runs/follow-to-end.ts')).followToEnd(cli, account, id, options);
  if (view === 'download') return download(output, account, id, options);
  if (view === 'events') {
    const events: Awaited<ReturnType<typeof runs.events>>['events'] = [];
    for (let after: number | undefined = -1; after !== undefined;) {
      const page = await runs.events({ id, after });
      events.push(...page.events);
      after = page.cursor === undefined ? undefined : Number(page.cursor);
    }
    return options.json
      ? output.json({ events })
      : events.forEach((event) => output.line(shown(output, describeEvent(event))));
  }
  if (view === 'receipts') {
    const { receipts, head } = await runs.receipts({ id });
    if (options.json) return output.json({ receipts, head });
    return output.table(
      ['INDEX', 'AT', 'KIND', 'ACTOR', 'BODY', 'HASH'],
      receipts.map(({ index, at, kind, actor, body, hash }) => [
        String(index),
        at,
        kind,
        actor,
        JSON.stringify(body),
        hash,
      ]),
    );
  }
  if (view === 'artifacts') {
    const { artifacts } = await runs.artifacts({ id });
    if (options.json) return output.json({ artifacts });
    if (artifacts.length === 0) output.say('The run has no files.');
    return output.table(
      ['NAME', 'BYTES'],
      artifacts.map(({ name, size }) => [name, String(size)]),
    );
  }
  const { job } = await runs.get({ id });
  if (options.json) return output.json({ job });
  await show(output, job, options.raw);
}

async function show(output: Output, job: RunView, raw: boolean | undefined): Promise<void> {
  const rows: [string, string | undefined][] = [
    ['job', job.id],
    ['status', job.status],
    ['waiting', job.waiting?.message],
    ['kind', job.kind],
    ['objective', job.objective],
    ['model', job.model],
    ['capabilities', job.capabilities.length > 0 ? job.capabilities.join(' ') : undefined],
    ['workspace', job.workspace],
    ['acts with', job.startedWith && `${job.startedWith}: ${(job.scopes ?? []).join(' ')}`],
    ['funding', job.fundingWorkspace],
    ['continues', job.continues],
    ['continued by', job.continuedBy?.join(' ') || undefined],
    ['not read', job.messages?.map(({ text }) => text).join('\n') || undefined],
    ['environment', job.environment],
    ['deliver', job.deliver],
    ['created', job.createdAt],
    ['started', job.startedAt],
    ['ended', job.endedAt],
    ['attempt', job.attempt > 0 ? String(job.attempt) : undefined],
    [
      'sandbox',
      job.sandbox &&
        [asSentence(describeConfinement(job.sandbox)), describeWeakness(job.sandbox.limits)]
          .filter((part) => part !== undefined)
          .join(' '),
    ],
    [
      'changes',
      job.changes &&
        `${job.changes.files} ${job.changes.files === 1 ? 'file' : 'files'}, +${job.changes.additions} -${job.changes.deletions}`,
    ],
    ['receipts', job.stream],
    ['error', job.error],
  ];
  output.table(
    ['', ''],
    rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  if (job.result === undefined) return;
  output.line('');
  await showResult(output, job, raw);
}

/** A run's output must not control the terminal. */
function shown(output: Output, text: string): string {
  return output.watched ? printable(text) : text;
}

async function download(
  output: Output,
  account: Account,
  id: string,
  { download: name = '', output: file, json }: Options,
): Promise<void> {
  const { downloadArtifact } = await import('../runs/download-artifact.ts');
  const written = await downloadArtifact(output, account, { id, name, file });
  if (json && written.file !== '-') output.json(written);
  else if (written.file !== '-') output.say(`Wrote ${written.file}, ${written.bytes} bytes.`);
}
