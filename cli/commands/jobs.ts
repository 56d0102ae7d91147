import { type Command, Option } from 'commander';
import { findAccount } from '../account.ts';
import { inWorkspace } from '../connections-api.ts';
import { type Cli, type Common, defineCommand } from '../define-command.ts';
import { usage } from '../failure.ts';
import { openRuns, type RunView, type RunKind, type RunStatus } from '../runs/runs-api.ts';

interface Options extends Common {
  readonly status?: RunStatus;
  readonly kind?: RunKind;
  readonly workspace?: string;
  readonly limit: string;
  readonly cursor?: string;
  readonly all?: boolean;
}

const PAGE_MAX = 200;
const OBJECTIVE_SHOWN = 60;

export function addJobs(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'jobs',
    summary: 'List background runs of your workspaces, newest first',
    example: 'servicectl jobs --status running',
  })
    .addOption(
      new Option('--status <status>', 'only runs with this status').choices([
        'queued',
        'running',
        'completed',
        'failed',
        'aborted',
      ]),
    )
    .addOption(new Option('--kind <kind>', 'only runs of this kind').choices(['chat', 'control', 'codex']))
    .option('--workspace <workspace>', 'only runs of this workspace, by ID or slug (default: all of yours)')
    .option('--limit <count>', `how many to show, at most ${PAGE_MAX}`, '50')
    .option('--cursor <cursor>', 'continue from the previous page')
    .option('--all', 'show all pages')
    .action((options: Options) => jobs(cli, options));
}

async function jobs({ host, output }: Cli, options: Options): Promise<void> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_MAX)
    throw usage(`--limit takes a whole number from 1 to ${PAGE_MAX}`, 'Use --all for more.');
  const runs = await openRuns(await findAccount(host, options));
  const filter = {
    ...inWorkspace(options.workspace),
    ...(options.status === undefined ? {} : { status: options.status }),
    ...(options.kind === undefined ? {} : { kind: options.kind }),
  };
  const found: RunView[] = [];
  let cursor = options.cursor;
  do {
    const page = await runs.list({
      ...filter,
      limit: options.all ? PAGE_MAX : limit,
      ...(cursor === undefined ? {} : { cursor }),
    });
    found.push(...page.jobs);
    cursor = page.cursor;
  } while (options.all && cursor !== undefined);
  if (options.json) return output.json({ jobs: found, ...(cursor === undefined ? {} : { cursor }) });
  if (found.length === 0) output.say('There are no runs. Start one with: servicectl run "<objective>"');
  output.table(
    ['JOB', 'STATUS', 'KIND', 'CREATED', 'OBJECTIVE'],
    found.map((run) => [
      run.id,
      run.waiting ? `${run.status} (${run.waiting.reason})` : run.status,
      run.kind,
      run.createdAt,
      output.watched ? shorten(run.objective) : run.objective,
    ]),
  );
  if (cursor !== undefined) output.say(`To see more: servicectl jobs --cursor ${cursor} (or --all)`);
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > OBJECTIVE_SHOWN ? `${line.slice(0, OBJECTIVE_SHOWN - 1)}…` : line;
}
