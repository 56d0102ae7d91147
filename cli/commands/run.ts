import { type Command, Option } from 'commander';
import { findAccount, requireToken } from '../account.ts';
import { inWorkspace } from '../connections-api.ts';
import { type Cli, type Common, defineCommand, ENVIRONMENT, WORKSPACE } from '../define-command.ts';
import { usage } from '../failure.ts';
import { RAW } from '../chat/write-answer.ts';
import { announceRun } from '../runs/announce-run.ts';
import { deliverOption, FUNDING } from '../runs/planned-run.ts';
import { openRuns } from '../runs/runs-api.ts';

interface Options extends Common {
  readonly kind?: 'chat' | 'control' | 'codex';
  readonly model?: string;
  readonly capability: string[];
  readonly workspace?: string;
  readonly fundingWorkspace?: string;
  readonly environment?: string;
  readonly deliver?: 'branch' | 'pull-request';
  readonly idempotencyKey?: string;
  readonly detach?: boolean;
  readonly raw?: boolean;
}

export function addRun(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'run <objective>',
    summary: 'Start a background run and follow it until it ends (- reads the objective from standard input)',
    example: 'servicectl run "List the open issues of acme/site" --capability github',
  })
    .addOption(new Option('--kind <kind>', 'kind of worker that executes it').choices(['chat', 'control', 'codex']))
    .option('--model <model>', 'an OpenAI model; see servicectl models')
    .option(
      '--capability <key>',
      'a capability that the run needs; see servicectl capabilities; repeatable',
      (key: string, before: string[]) => [...before, key],
      [],
    )
    .option(...WORKSPACE)
    .option(...ENVIRONMENT)
    .addOption(deliverOption())
    .option(...FUNDING)
    .option('--idempotency-key <key>', 'repeating a request with the same key returns the same run')
    .option(...RAW)
    .option('--detach', 'start the run, print its ID and exit')
    .action((objective: string, options: Options) => run(cli, objective, options));
}

async function run(cli: Cli, given: string, options: Options): Promise<void> {
  const { host } = cli;
  const account = await findAccount(host, options);
  requireToken(account);
  const objective = (given === '-' ? await (await import('../read-input.ts')).readStdin(host) : given).trim();
  if (objective === '') throw usage('there is no objective', 'For example: servicectl run "Summarise the open issues"');
  const { job } = await (
    await openRuns(account)
  ).start({
    objective,
    ...inWorkspace(options.workspace),
    ...(options.kind === undefined ? {} : { kind: options.kind }),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.capability.length === 0 ? {} : { capabilities: options.capability }),
    ...(options.fundingWorkspace === undefined ? {} : { fundingWorkspace: options.fundingWorkspace }),
    ...(options.environment === undefined ? {} : { environment: options.environment }),
    ...(options.deliver === undefined ? {} : { deliver: options.deliver }),
    ...(options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey }),
  });
  await announceRun(cli, account, job, options);
}
