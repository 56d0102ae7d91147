// Replays the chain of a run. Refused when it does not verify, does not end at the head that the row recorded, or does not
// add up to a possible run.
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

/** Undefined when the receipts do not add up to a possible run. */
function foldPossible(receipts: readonly LinkedReceipt[]): JobState | undefined {
  try {
    return foldJob(receipts.map(presentReceipt));
  } catch (error) {
    if (error instanceof ImpossibleReceipt) return undefined;
    throw error;
  }
}
