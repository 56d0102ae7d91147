// The worker's side: `service.job.execute` behind the gate of its role. A run that is delivered again while this
// process is still at it is the same run; one that somebody aborts is told so as soon as its chain grows.
import type { Context } from '@resonatehq/sdk';
import { APPENDED_TOPIC } from '../../receipts/announce-appends.ts';
import type { Listener } from '../../store/listen.ts';
import { RunReleased } from './engine.ts';
import type { Hold } from './attempt-run.ts';
import { type ExecuteDeps, executeJob, type Outcome } from './execute-job.ts';
import { findProgress } from '../record/find-jobs.ts';
import { streamOf } from '../record/job.ts';
import { isFinal } from '../record/job-states.ts';
import { limitConcurrency } from '../../timing/limit-concurrency.ts';

export interface ExecutionDeps extends ExecuteDeps {
  readonly listener: Listener;
  readonly concurrency: number;
}

export interface Executions {
  /** The function to register. */
  execute(context: Context, argument: { readonly job: string }): Promise<Outcome>;
  /** Begins nothing more; what fails from now on is given back. */
  drain(): void;
  /** Gives back what is still running, at its attempt: the driver hands it to another worker, which begins it again. */
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 5_000;

export function serveExecutions({ listener, concurrency, ...deps }: ExecutionDeps): Executions {
  const gate = limitConcurrency(concurrency);
  const running = new Map<string, { readonly hold: Hold; readonly outcome: Promise<Outcome> }>();

  const wanted = new Set<string>();
  let looking = false;

  /** Whether runs are still this worker's; those that ask while one look is under way share the next. */
  async function look(ids: Iterable<string>): Promise<void> {
    for (const id of ids) wanted.add(id);
    if (looking || wanted.size === 0) return;
    looking = true;
    while (wanted.size > 0) {
      const asked = [...wanted];
      wanted.clear();
      for (const { id, status, attempt } of await findProgress(deps.db, asked).catch(() => [])) {
        const hold = running.get(id)?.hold;
        if (hold && (isFinal(status) || (hold.attempt !== undefined && attempt > hold.attempt)))
          hold.taken.abort(new Error(`the run is ${status}, in attempt ${attempt}`));
      }
    }
    looking = false;
  }

  const stopping = new AbortController();
  const endedOrThrow = (outcome: Outcome): Outcome => {
    if (stopping.signal.aborted && 'status' in outcome && !isFinal(outcome.status)) throw new Error('the worker stops');
    return outcome;
  };
  const executeUnlessStopping = async (job: string, hold: Hold): Promise<Outcome> =>
    stopping.signal.aborted ? { released: 'worker_stopping' } : executeJob(deps, job, hold);

  const unsubscribe = listener.subscribe(APPENDED_TOPIC, (heard) => {
    void look([...running.keys()].filter((id) => heard.missed || heard.value === streamOf({ id })));
  });
  // An announcement can be lost.
  const timer = setInterval(() => void look(running.keys()), LOOK_EVERY_MS);

  return {
    execute(_context, { job }) {
      const current = running.get(job);
      if (current) return current.outcome;
      const hold: Hold = { taken: new AbortController(), stopping: stopping.signal };
      const outcome = gate(() => executeUnlessStopping(job, hold))
        .then(endedOrThrow)
        .finally(() => running.delete(job));
      running.set(job, { hold, outcome });
      return outcome;
    },
    drain: () => stopping.abort(),
    async close() {
      clearInterval(timer);
      unsubscribe();
      stopping.abort();
      const left = [...running.values()];
      for (const { hold } of left) hold.taken.abort(new RunReleased('worker_stopping'));
      await Promise.allSettled(left.map(({ outcome }) => outcome));
    },
  };
}
