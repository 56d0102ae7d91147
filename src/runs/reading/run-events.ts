// The events of a run, from its receipts. The index of the receipt is the id of the event, so a reader that lost the
// connection resumes after the last one it saw.
import { type PresentedReceipt, presentReceipt } from '../../receipts/present-receipt.ts';
import { type TailOptions, tailStream } from '../../receipts/tail-stream.ts';
import { createChainVerifier } from '../../receipts/verify-chain.ts';
import type { Json } from '../../base/canonical-json.ts';
import { AppError } from '../../base/errors.ts';
import { PAGE_BYTES } from '../../base/page-bytes.ts';
import type { Queryable } from '../../store/database.ts';
import { type Run, streamOf } from '../record/run.ts';
import { foldReceipt, isFinal, type RunState, type RunStatus } from '../record/run-states.ts';
import { replayRun } from '../record/replay-run.ts';
import { detailBytes } from '../record/run-log.ts';

export interface RunEvent {
  readonly id: number;
  readonly type: string;
  readonly at: string;
  readonly actor: string;
  /** The status after this event. */
  readonly status: RunStatus;
  readonly attempt: number;
  readonly data: unknown;
}

/** An event with its entry in the run's log. */
export type EventWithDetail = RunEvent & { readonly detail?: Json };

export async function readRunEvents(on: Queryable, run: Run): Promise<RunEvent[]> {
  const { receipts } = await replayRun(on, run);
  return [...toEvents(receipts.map(presentReceipt))];
}

/** The first of them that fit a page with their entries in the run's log, and at least one. */
export function cutEvents(events: readonly RunEvent[]): readonly RunEvent[] {
  let bytes = 0;
  const end = events.findIndex(({ data }) => {
    bytes += JSON.stringify(data).length + detailBytes(data);
    return bytes > PAGE_BYTES;
  });
  return end < 0 ? events : events.slice(0, Math.max(end, 1));
}

function* toEvents(receipts: Iterable<PresentedReceipt>): Generator<RunEvent> {
  let state: RunState | undefined;
  for (const receipt of receipts) {
    state = foldReceipt(state, receipt);
    yield toEvent(receipt, state);
  }
}

export function toEvent({ index, kind, at, actor, body }: PresentedReceipt, { status, attempt }: RunState): RunEvent {
  return { id: index, type: kind, at, actor, status, attempt, data: body };
}

interface RunFollowOptions extends Omit<TailOptions, 'stream' | 'from'> {
  /** The id of the last event that the reader has; -1 for none. */
  readonly after: number;
}

/** Events after `after`, then each new one until the last; `undefined` after a quiet period. Each link is verified. */
export async function* followRun(
  run: Run,
  { after, ...options }: RunFollowOptions,
): AsyncGenerator<RunEvent | undefined> {
  const stream = streamOf(run);
  const verifier = createChainVerifier(stream);
  let state: RunState | undefined;
  for await (const receipt of tailStream({ ...options, stream, from: 0 })) {
    if (!receipt) {
      yield undefined;
      continue;
    }
    if (!verifier.take(receipt)) throw new AppError('receipt_chain_invalid', { stream, ...verifier.finish().fault });
    const presented = presentReceipt(receipt);
    state = foldReceipt(state, presented);
    if (receipt.index > after) yield toEvent(presented, state);
    if (isFinal(state.status)) return;
  }
}
