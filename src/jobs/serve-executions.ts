// The worker's side: `service.job.execute` behind the gate of its role. A run that is delivered again while this
// process is still at it is the same run; one that somebody aborts is told so as soon as its chain grows.
import type { Context } from '@resonatehq/sdk';
import { APPENDED_TOPIC } from '../receipts/announce-appends.ts';
import type { Listener } from '../store/listen.ts';
import { type ExecuteDeps, executeJob, type Hold, type Outcome } from './execute-job.ts';
import { findJob } from './find-job.ts';
import { streamOf } from './job.ts';
import { isFinal } from './job-states.ts';
import { limitConcurrency } from './limit-concurrency.ts';

export interface ExecutionDeps extends ExecuteDeps {
  readonly listener: Listener;
  readonly concurrency: number;
}

export interface Executions {
  /** The function to register. */
  execute(context: Context, argument: { readonly job: string }): Promise<Outcome>;
  close(): void;
}

const LOOK_EVERY_MS = 5_000;

export function serveExecutions({ listener, concurrency, ...deps }: ExecutionDeps): Executions {
  const gate = limitConcurrency(concurrency);
  const running = new Map<string, { readonly hold: Hold; readonly outcome: Promise<Outcome> }>();

  async function look(id: string): Promise<void> {
    const current = running.get(id);
    const job = current && (await findJob(deps.db, id).catch(() => undefined));
    if (!job || !current) return;
    const { attempt, taken } = current.hold;
    if (isFinal(job.status) || (attempt !== undefined && job.attempt > attempt)) taken.abort(new Error(`the run is ${job.status}, in attempt ${job.attempt}`));
  }

  const unsubscribe = listener.subscribe(APPENDED_TOPIC, (heard) => {
    for (const id of running.keys()) if (heard.missed || heard.value === streamOf({ id })) void look(id);
  });
  // An announcement can be lost.
  const timer = setInterval(() => {
    for (const id of running.keys()) void look(id);
  }, LOOK_EVERY_MS);

  return {
    execute(_context, { job }) {
      const current = running.get(job);
      if (current) return current.outcome;
      const hold: Hold = { taken: new AbortController() };
      const outcome = gate(() => executeJob(deps, job, hold)).finally(() => running.delete(job));
      running.set(job, { hold, outcome });
      return outcome;
    },
    close() {
      clearInterval(timer);
      unsubscribe();
    },
  };
}
