import type { Account } from '../account.ts';
import type { Cli } from '../define-command.ts';
import { askOnInterrupt } from './ask-on-interrupt.ts';
import { followRun } from './follow-run.ts';
import { openRuns, type RunView } from './runs-api.ts';
import { endAsFailure, showResult } from './show-result.ts';
import { watchOnScreen } from './watch-on-screen.ts';

/** Follows a run until it ends: its result goes to standard output, its outcome decides the exit code. */
export async function followToEnd(
  cli: Cli,
  account: Account,
  id: string,
  { json = false, raw }: { readonly json?: boolean; readonly raw?: boolean },
): Promise<void> {
  const screen = watchOnScreen(cli, { json });
  const interrupts = askOnInterrupt(cli, account, id, screen);
  let run: RunView;
  try {
    run = await followRun(account, id, screen, interrupts.signal).catch((error: unknown) => {
      throw interrupts.signal.aborted ? interrupts.signal.reason : error;
    });
  } finally {
    interrupts.stop();
    screen.close();
  }
  if (json) cli.output.jsonLine({ job: run });
  else if (run.status === 'completed') await showResult(cli.output, run, raw);
  const failure = endAsFailure(run);
  if (failure) throw failure;
  if (!json && cli.host.stderr.isTTY) await nameArtifacts(cli, account, id);
}

/** Only a hint: a failure is ignored. */
async function nameArtifacts({ output }: Cli, account: Account, id: string): Promise<void> {
  const { artifacts } = await (await openRuns(account)).artifacts({ id }).catch(() => ({ artifacts: [] }));
  if (artifacts.length > 0)
    output.say(
      `The run created ${artifacts.length === 1 ? 'a file' : `${artifacts.length} files`}: servicectl job ${id} --artifacts`,
    );
}
