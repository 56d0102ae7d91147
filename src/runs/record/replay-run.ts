// Replays the chain of a run. Refused when it does not verify, does not end at the head that the row recorded, or does not
// add up to a possible run.
import { AppError } from '../../base/errors.ts';
import { runProjection } from '../../audit/find-run-head.ts';
import type { LinkedReceipt } from '../../receipts/receipt.ts';
import { presentReceipt } from '../../receipts/present-receipt.ts';
import { replayStream } from '../../receipts/verify-stream.ts';
import type { Queryable } from '../../store/database.ts';
import { foldRun, ImpossibleReceipt, type RunState } from './run-states.ts';
import { type Run, streamOf } from './run.ts';

export interface Replayed {
  readonly state: RunState;
  readonly receipts: readonly LinkedReceipt[];
}

export async function replayRun(on: Queryable, run: Run): Promise<Replayed> {
  const receipts = await replayStream(on, streamOf(run), runProjection(on, run.id, run.head));
  const state = foldPossible(receipts);
  if (!state)
    throw new AppError('receipt_chain_invalid', {
      stream: streamOf(run),
      reason: 'head_mismatch',
      index: run.head.index,
    });
  return { state, receipts };
}

/** Undefined when the receipts do not add up to a possible run. */
function foldPossible(receipts: readonly LinkedReceipt[]): RunState | undefined {
  try {
    return foldRun(receipts.map(presentReceipt));
  } catch (error) {
    if (error instanceof ImpossibleReceipt) return undefined;
    throw error;
  }
}
