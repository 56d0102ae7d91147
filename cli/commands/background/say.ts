// A message to a run: one that works reads it; one that has ended is gone on with by a new run, which is followed.
import type { Command } from 'commander';
import { findAccount } from '../../account.ts';
import { RAW } from '../../chat/write-answer.ts';
import { type Cli, type Common, defineCommand } from '../../define-command.ts';
import { usage } from '../../failure.ts';
import { announceRun } from '../../runs/announce-run.ts';
import { openRuns } from '../../runs/runs-api.ts';

interface Options extends Common {
  readonly filesRequired?: boolean;
  readonly idempotencyKey?: string;
  readonly detach?: boolean;
  readonly raw?: boolean;
}

export function addSay(group: Command, cli: Cli): void {
  defineCommand(group, {
    name: 'say <job> <text>',
    summary:
      'Say something to a run: one that works reads it before its next step, one that has ended is gone on with by a new run (- reads the text from standard input)',
    brief: 'Say something to a run, or go on with one that has ended',
    example: 'servicectl job say job_01k… "Leave out the closed issues"',
  })
    .option('--files-required', 'go on with a run that has ended only if its files are still kept')
    .option('--idempotency-key <key>', 'repeating a request with the same key says nothing twice')
    .option('--detach', 'if a new run goes on, print its ID and exit')
    .option(...RAW)
    .action((id: string, text: string, options: Options) => say(cli, { id, given: text }, options));
}

async function say(cli: Cli, { id, given }: { id: string; given: string }, options: Options): Promise<void> {
  const { host, output } = cli;
  const account = await findAccount(host, options);
  const runs = await openRuns(account);
  const text = (given === '-' ? await (await import('../../read-input.ts')).readStdin(host) : given).trim();
  if (text === '') throw usage('there is no text', 'For example: servicectl job say job_01k… "And the closed ones"');
  const said = await runs.say({
    id,
    text,
    ...(options.filesRequired ? { files: 'required' as const } : {}),
    ...(options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey }),
  });
  if ('job' in said) {
    if (!options.json) output.say(`${id} had ended, so ${said.job.id} goes on from there.`);
    return announceRun(cli, account, said.job, options);
  }
  if (options.json) return output.json(said);
  output.say(`${id} reads it before its next step. Follow it with: servicectl job ${id} --follow`);
}
