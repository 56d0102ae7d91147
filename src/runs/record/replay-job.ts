// The chain of a run, replayed: refused when it does not verify, ends before or goes past the head that the row
// recorded, or says what no run can do.
import { AppError } from '../../base/errors.ts';
import { jobProjection } from '../../audit/find-job-head.ts';
import type { LinkedReceipt } from '../../receipts/receipt.ts';
import { presentReceipt } from '../../receipts/present-receipt.ts';
import { replayStream } from '../../receipts/verify-stream.ts';
import type { Queryable } from '../../store/database.ts';
import { foldJob, ImpossibleReceipt, type JobState } from './job-states.ts';
import { type Job, streamOf } from './job.ts';

export interface Replayed {
  readonly state: JobState;
  readonly receipts: readonly LinkedReceipt[];
}

export async function replayJob(on: Queryable, job: Job): Promise<Replayed> {
  const receipts = await replayStream(on, streamOf(job), jobProjection(on, job.id, job.head));
  const state = foldPossible(receipts);
  if (!state)
    throw new AppError('receipt_chain_invalid', {
      stream: streamOf(job),
      reason: 'head_mismatch',
      index: job.head.index,
    });
  return { state, receipts };
}

/** Undefined where the receipts add up to no run. */
function foldPossible(receipts: readonly LinkedReceipt[]): JobState | undefined {
  try {
    return foldJob(receipts.map(presentReceipt));
  } catch (error) {
    if (error instanceof ImpossibleReceipt) return undefined;
    throw error;
  }
}
