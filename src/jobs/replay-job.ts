// The chain of a run, replayed: refused when it does not verify, or ends before the head that the row recorded.
import { AppError } from '../base/errors.ts';
import type { LinkedReceipt } from '../receipts/receipt.ts';
import { presentReceipt } from '../receipts/present-receipt.ts';
import { replayStream } from '../receipts/verify-stream.ts';
import type { Queryable } from '../store/database.ts';
import { foldJob, type JobState } from './fold-job.ts';
import { type Job, streamOf } from './job.ts';

export interface Replayed {
  readonly state: JobState;
  readonly receipts: readonly LinkedReceipt[];
}

export async function replayJob(on: Queryable, job: Job): Promise<Replayed> {
  const receipts = await replayStream(on, streamOf(job), [job.head]);
  const state = foldJob(receipts.map(presentReceipt));
  if (!state) throw new AppError('receipt_chain_invalid', { stream: streamOf(job), reason: 'head_mismatch', index: job.head.index });
  return { state, receipts };
}
