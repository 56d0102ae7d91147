// The messages that a live channel sends about a run: its current state, then each receipt that was not sent yet, as a
// receipt and as an event. A summary of what was sent is kept, so a long run is not read from its beginning each time.
import { type PresentedReceipt, presentReceipt } from '../../receipts/present-receipt.ts';
import { walkStream } from '../../receipts/read-stream.ts';
import type { Queryable } from '../../store/database.ts';
import { foldReceipt, ImpossibleReceipt, type JobState } from '../record/job-states.ts';
import { type Job, streamOf } from '../record/job.ts';
import { toEvent } from './job-events.ts';
import { presentJob, storedWaiting } from './present-job.ts';

/** What has been sent about a run. */
export interface SentState {
  /** Of the last receipt. */
  readonly index: number;
  readonly reason: string | undefined;
  /** The fold of the receipts so far; undefined when they do not add up to a possible run. */
  readonly state: JobState | undefined;
}

/** Returns what has been sent once all messages were taken. */
export async function* describeUpdates(
  on: Queryable,
  job: Job,
  sent: SentState | undefined,
): AsyncGenerator<Record<string, unknown>, SentState> {
  let state = sent?.state;
  if (sent?.index !== job.head.index || sent.reason !== job.waitingReason)
    yield { type: 'job', job: presentJob(job, storedWaiting(job)) };
  if (sent?.index !== job.head.index) {
    for await (const linked of walkStream(on, streamOf(job), sent ? sent.index + 1 : 0)) {
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
