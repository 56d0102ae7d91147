// The messages that a live channel sends about a run: its current state, then each receipt that was not sent yet, as a
// receipt and as an event. A summary of what was sent is kept, so a long run is not read from its beginning each time.
import { type PresentedReceipt, presentReceipt } from '../../receipts/present-receipt.ts';
import { walkStream } from '../../receipts/read-stream.ts';
import type { Queryable } from '../../store/database.ts';
import { foldReceipt, ImpossibleReceipt, type RunState } from '../record/run-states.ts';
import { type Run, streamOf } from '../record/run.ts';
import { toEvent } from './run-events.ts';
import { presentRun, storedWaiting } from './present-run.ts';

/** What has been sent about a run. */
export interface SentState {
  /** Of the last receipt. */
  readonly index: number;
  readonly reason: string | undefined;
  /** The fold of the receipts so far; undefined when they do not add up to a possible run. */
  readonly state: RunState | undefined;
}

/** Returns what has been sent once all messages were taken. */
export async function* describeUpdates(
  on: Queryable,
  run: Run,
  sent: SentState | undefined,
): AsyncGenerator<Record<string, unknown>, SentState> {
  let state = sent?.state;
  if (sent?.index !== run.head.index || sent.reason !== run.waitingReason)
    yield { type: 'job', job: presentRun(run, storedWaiting(run)) };
  if (sent?.index !== run.head.index) {
    walking: for await (const receipts of walkStream(on, streamOf(run), sent ? sent.index + 1 : 0)) {
      for (const linked of receipts) {
        if (linked.index > run.head.index) break walking;
        const receipt = presentReceipt(linked);
        yield { type: 'receipt', job: run.id, receipt };
        state = foldPossible(state, receipt);
        if (state) yield { type: 'event', job: run.id, event: toEvent(receipt, state) };
      }
    }
  }
  return { index: run.head.index, reason: run.waitingReason, state };
}

function foldPossible(state: RunState | undefined, receipt: PresentedReceipt): RunState | undefined {
  try {
    return foldReceipt(state, receipt);
  } catch (error) {
    if (error instanceof ImpossibleReceipt) return undefined;
    throw error;
  }
}
