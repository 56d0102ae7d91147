// Aborts a run, whatever its state. It races the worker for the head of the chain: one of them writes the final receipt,
// the other finds it there. A run that has ended stays as it is.
import { AppError } from '../../base/errors.ts';
import type { Queryable } from '../../store/database.ts';
import { appendJobReceipt, type JobReceiptDraft } from './move-job.ts';
import { findJob } from './find-jobs.ts';
import type { Job } from './job.ts';
import { isFinal } from './job-states.ts';
import { replayJob } from './replay-job.ts';
import { LOST_AUTHORITY, type LostAuthority } from './run-authority.ts';

const TRIES = 20;

export interface Aborted {
  readonly job: Job;
  /** False when the run had already ended. */
  readonly changed: boolean;
}

/** @param lost why the run may no longer go on, when no one requested the abort. */
export async function abortJob(on: Queryable, found: Job, actor: string, lost?: LostAuthority): Promise<Aborted> {
  let job = found;
  for (let tries = 0; tries < TRIES; tries++) {
    await replayJob(on, job);
    if (isFinal(job.status)) return { job, changed: false };
    const aborted = await appendJobReceipt(on, job, abortedReceipt(job, actor, lost));
    if (aborted) return { job: aborted, changed: true };
    const current = await findJob(on, job.id);
    if (!current) throw new AppError('not_found');
    job = current;
  }
  throw new AppError('conflict');
}

export function abortedReceipt(
  job: Pick<Job, 'status' | 'attempt'>,
  actor: string,
  lost: LostAuthority | undefined,
): JobReceiptDraft {
  const body = { from: job.status, attempt: job.attempt };
  return lost === undefined
    ? { kind: 'job.aborted', actor, body }
    : { kind: 'job.aborted', actor, body: { ...body, reason: lost }, error: `${LOST_AUTHORITY[lost]} (${lost})` };
}
