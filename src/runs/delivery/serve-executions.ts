// The worker's side: `service.job.execute`, limited to the concurrency of its role. A run that is delivered again while
// this process still executes it joins the same execution; an aborted run is stopped as soon as its chain grows.
import type { Context } from '@resonatehq/sdk';
import { APPENDED_TOPIC } from '../../receipts/announce-appends.ts';
import type { Listener } from '../../store/listen.ts';
import { RunEnded, RunReleased } from './engine.ts';
import type { Hold } from './attempt-run.ts';
import { type ExecuteDeps, executeRun, type Outcome } from './execute-run.ts';
import { findProgress } from '../record/find-runs.ts';
import { streamOf } from '../record/run.ts';
import { isFinal } from '../record/run-states.ts';
import { every } from '../../timing/every.ts';
import { limitConcurrency } from '../../timing/limit-concurrency.ts';

export interface ExecutionDeps extends ExecuteDeps {
  readonly listener: Listener;
  /**
   * How many runs this worker executes at once. Our own broker keeps to it, and to shares: an organization that holds less
   * than its own gets a place in addition. With any other broker the limit is here.
   */
  readonly concurrency: () => number;
}

export interface Executions {
  /** The function to register. */
  execute(context: Context, argument: { readonly job: string }): Promise<Outcome>;
  /** Begins no more runs; those that fail from now on are given back. */
  drain(): void;
  /** Gives back the runs that are still executing, keeping their attempt: the driver hands them to another worker. */
  close(): Promise<void>;
}

const CHECK_EVERY_MS = 5_000;

export function serveExecutions({ listener, concurrency, ...deps }: ExecutionDeps): Executions {
  const gate = limitConcurrency(concurrency);
  const running = new Map<string, { readonly hold: Hold; readonly outcome: Promise<Outcome> }>();

  const unchecked = new Set<string>();
  let checking = false;

  /** Stops runs that are no longer this worker's. Calls during a check share the next one. */
  async function check(ids: Iterable<string>): Promise<void> {
    for (const id of ids) unchecked.add(id);
    if (checking || unchecked.size === 0) return;
    checking = true;
    while (unchecked.size > 0) {
      const checked = [...unchecked];
      unchecked.clear();
      for (const { id, status, attempt } of await findProgress(deps.db, checked).catch(() => [])) {
        const hold = running.get(id)?.hold;
        if (!hold) continue;
        if (isFinal(status)) hold.taken.abort(new RunEnded(`the run is ${status}`));
        else if (hold.attempt !== undefined && attempt > hold.attempt)
          hold.taken.abort(new Error(`the run is in attempt ${attempt}`));
      }
    }
    checking = false;
  }

  const stopping = new AbortController();
  const endedOrThrow = (outcome: Outcome): Outcome => {
    if (stopping.signal.aborted && 'status' in outcome && !isFinal(outcome.status))
      throw new Error('the worker is stopping');
    return outcome;
  };
  const executeUnlessStopping = async (run: string, hold: Hold): Promise<Outcome> =>
    stopping.signal.aborted ? { released: 'worker_stopping' } : executeRun(deps, run, hold);

  const unsubscribe = listener.subscribe(APPENDED_TOPIC, (heard) => {
    void check([...running.keys()].filter((id) => heard.missed || heard.value === streamOf({ id })));
  });
  // An announcement can be lost.
  const timer = every({
    everyMs: CHECK_EVERY_MS,
    task: 'checking the runs of this worker',
    log: deps.log,
    run: () => check(running.keys()),
  });

  return {
    execute(_context, { job: run }) {
      const current = running.get(run);
      if (current) return current.outcome;
      const hold: Hold = { taken: new AbortController(), stopping: stopping.signal };
      const outcome = gate(() => executeUnlessStopping(run, hold))
        .then(endedOrThrow)
        .finally(() => running.delete(run));
      running.set(run, { hold, outcome });
      return outcome;
    },
    drain: () => stopping.abort(),
    async close() {
      // Not awaited: a check that hangs on the database no longer matters.
      void timer.stop();
      unsubscribe();
      stopping.abort();
      const left = [...running.values()];
      for (const { hold } of left) hold.taken.abort(new RunReleased('worker_stopping'));
      await Promise.allSettled(left.map(({ outcome }) => outcome));
    },
  };
}
