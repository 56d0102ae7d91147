import type { Command } from 'commander';
import { findAccount } from '../account.ts';
import { type Cli, type Common, defineCommand } from '../define-command.ts';
import { openRuns } from '../runs/runs-api.ts';

export function addAbort(program: Command, cli: Cli): void {
  defineCommand(program, {
    name: 'abort <job>',
    summary: 'Abort a background run; one that has already ended is left unchanged',
    example: 'servicectl abort job_01k…',
  }).action((id: string, options: Common) => abort(cli, id, options));
}

async function abort({ host, output }: Cli, id: string, options: Common): Promise<void> {
  const { job } = await (await openRuns(await findAccount(host, options))).abort({ id });
  if (options.json) return output.json({ job });
  output.say(job.status === 'aborted' ? `Aborted ${job.id}.` : `${job.id} had already ended: ${job.status}.`);
}
