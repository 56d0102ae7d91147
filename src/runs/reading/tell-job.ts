// What a live channel says of a run: how it is now, then each receipt that was not told yet, as a receipt and as an event.
// What was told is kept in short, so that a long run is not read from its beginning at each step.
import { type PresentedReceipt, presentReceipt } from '../../receipts/present-receipt.ts';
import { walkStream } from '../../receipts/read-stream.ts';
import type { Queryable } from '../../store/database.ts';
import { presentJob, storedWaiting } from './present-job.ts';
import { foldReceipt, ImpossibleReceipt, type JobState } from '../record/job-states.ts';
import { type Job, streamOf } from '../record/job.ts';
import { toEvent } from './job-events.ts';

export interface Told {
  /** Of the last receipt. */
  readonly index: number;
  readonly reason: string | undefined;
  /** What the receipts add up to so far; undefined where somebody made something of them that no run can be. */
  readonly state: JobState | undefined;
}

/** Returns what has been told once it was. */
export async function* tellJob(
  on: Queryable,
  job: Job,
  told: Told | undefined,
): AsyncGenerator<Record<string, unknown>, Told> {
  let state = told?.state;
  if (told?.index !== job.head.index || told.reason !== job.waitingReason)
    yield { type: 'job', job: presentJob(job, storedWaiting(job)) };
  if (told?.index !== job.head.index) {
    for await (const linked of walkStream(on, streamOf(job), told ? told.index + 1 : 0)) {
      if (linked.index > job.head.index) break;
      const receipt = presentReceipt(linked);
      yield { type: 'receipt', job: job.id, receipt };
      state = foldPossible(state, receipt);
      if (state) yield { type: 'event', job: job.id, event: toEvent(receipt, state) };
    }
  }
  return { index: job.head.index, reason: job.waitingReason, state };
}

function foldPossible(state: JobState | undefined, receipt: PresentedReceipt): JobState | undefined {
  try {
    return foldReceipt(state, receipt);
  } catch (error) {
    if (error instanceof ImpossibleReceipt) return undefined;
    throw error;
  }
}
