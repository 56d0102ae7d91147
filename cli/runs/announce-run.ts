// What is said of a run that was just started: only its ID, or everything until it ends.
import type { Account } from '../account.ts';
import type { Cli, Common } from '../define-command.ts';
import { followToEnd } from './follow-to-end.ts';
import type { RunView } from './runs-api.ts';

interface Options extends Common {
  readonly detach?: boolean;
  readonly raw?: boolean;
}

export async function announceRun(cli: Cli, account: Account, job: RunView, options: Options): Promise<void> {
  const { host, output } = cli;
  if (options.detach) {
    if (options.json) return output.json({ job });
    output.line(job.id);
    return output.say(`Follow it with: servicectl job ${job.id} --follow`);
  }
  if (host.stderr.isTTY && !options.json)
    output.say(`Run ${job.id} (${job.kind}). It keeps running if you leave; Ctrl-C for options.`);
  await followToEnd(cli, account, job.id, options);
}
