// Ctrl-C while following a run. Leaving does not end the run, so on a terminal the user is asked what to do; a second
// Ctrl-C, or one without a terminal, leaves at once and says how to abort the run.
import { createInterface } from 'node:readline/promises';
import type { Account } from '../account.ts';
import type { Cli } from '../define-command.ts';
import { describeFailure } from '../describe-failure.ts';
import { EXIT } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { openRuns } from './runs-api.ts';
import type { Screen } from './watch-on-screen.ts';

export interface Interrupts {
  /** Aborted with a Failure when the user leaves. */
  readonly signal: AbortSignal;
  stop(): void;
}

const QUESTION = 'The run keeps running without you. (a)bort it, (l)eave it running, or press Enter to keep watching? ';

export function askOnInterrupt({ host, output }: Cli, account: Account, id: string, screen: Screen): Interrupts {
  const leaving = new AbortController();
  const over = new AbortController();
  let asking = false;
  const leave = (): void =>
    leaving.abort(
      new Failure('stopped following; the run keeps running', {
        exit: EXIT.interrupted,
        error: 'interrupted',
        next: `Abort it with: servicectl abort ${id} (or follow it again: servicectl job ${id} --follow)`,
      }),
    );

  async function question(): Promise<void> {
    asking = true;
    screen.hold();
    const lines = createInterface({ input: host.stdin, output: host.stderr, terminal: true });
    const again = new AbortController();
    lines.on('SIGINT', () => again.abort());
    const answer = await lines
      .question(QUESTION, { signal: AbortSignal.any([over.signal, again.signal]) })
      .catch(() => (again.signal.aborted ? 'l' : ''));
    lines.close();
    if (again.signal.aborted) host.stderr.write('\n');
    asking = false;
    if (over.signal.aborted) return;
    screen.release();
    const [first] = answer.trim().toLowerCase();
    if (first === 'l') leave();
    else if (first === 'a') await abort();
  }

  async function abort(): Promise<void> {
    try {
      await (await openRuns(account)).abort({ id });
    } catch (error) {
      output.say(
        error instanceof Failure
          ? describeFailure(error)
          : `servicectl: could not abort the run\n  → Run: servicectl abort ${id}`,
      );
    }
  }

  const unsubscribe = host.onInterrupt?.(() => {
    if (!output.interactive || asking) leave();
    else void question();
  });
  return {
    signal: leaving.signal,
    stop() {
      over.abort();
      unsubscribe?.();
    },
  };
}
