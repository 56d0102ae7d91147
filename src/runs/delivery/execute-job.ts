// One attempt at a run. The receipt is written first, then the broker is told: whoever dies in between is replaced
// by somebody who finds the receipt. Delivery is at least once; the head of the chain is what makes the outcome one.
import { retryFault, type RetryOptions } from '../../timing/retry-fault.ts';
import { abortedReceipt } from '../record/abort-job.ts';
import { appendJobReceipt, type JobReceiptDraft } from '../record/append-job-receipt.ts';
import { findJob } from '../record/find-job.ts';
import { type Job, streamOf } from '../record/job.ts';
import { isFinal } from '../record/job-states.ts';
import { type ReleaseReason, releasedReceipt } from '../record/release-job.ts';
import { findLostAuthority } from '../record/run-authority.ts';
import { type AttemptDeps, attemptRun, type Hold, PATIENCE_MS, Superseded } from './attempt-run.ts';
import { type ClaimDeps, type ClaimOutcome, claimRun } from './claim-run.ts';

export interface ExecuteDeps extends ClaimDeps, AttemptDeps {}

export type Outcome = ClaimOutcome | { readonly released: ReleaseReason };

/** A worker that stops does not have the time to wait for the database. */
const RELEASE_PATIENCE_MS = 3_000;

export async function executeJob(deps: ExecuteDeps, jobId: string, hold: Hold): Promise<Outcome> {
  const { taken } = hold;
  const claimed = await claimRun(deps, jobId);
  if ('outcome' in claimed) return claimed.outcome;
  let { job } = claimed;
  hold.attempt = job.attempt;

  const appendNext = async (
    draft: JobReceiptDraft,
    waiting: RetryOptions = { patienceMs: deps.patienceMs ?? PATIENCE_MS, signal: taken.signal },
  ): Promise<void> => {
    const moved = await appendJobReceipt(deps.db, job, draft, waiting);
    if (!moved) {
      taken.abort(new Superseded('another receipt came first'));
      throw new Superseded('another receipt came first');
    }
    job = moved;
    deps.onAppended([{ stream: streamOf(job) }]);
  };
  // One after the other: each names the head that the one before left.
  let last = Promise.resolve();
  let released = false;
  const append = async (draft: JobReceiptDraft): Promise<void> => {
    // An engine that has not noticed yet says nothing more.
    if (released) throw new Superseded('the run was given back');
    await (last = last.then(() => appendNext(draft)));
  };
  const release = async (reason: ReleaseReason): Promise<Outcome> => {
    released = true;
    await (last = last.then(() =>
      appendNext(releasedReceipt(job, deps.actor, reason), { patienceMs: RELEASE_PATIENCE_MS }),
    ));
    deps.log.info({ job: jobId, attempt: job.attempt, reason }, 'a run was given back');
    return { released: reason };
  };

  try {
    for (;;) {
      const ended = await attemptRun(deps, job, hold, append);
      if ('release' in ended) return await release(ended.release);
      const draft = await orAborted(deps, job, ended, taken.signal);
      if (draft.kind === 'job.retried') hold.attempt = job.attempt + 1;
      await append(draft);
      if (isFinal(job.status)) return { status: job.status };
    }
  } catch (error) {
    if (!(error instanceof Superseded) && !taken.signal.aborted) throw error;
    const current = await findJob(deps.db, jobId);
    deps.log.info({ job: jobId, status: current?.status }, 'a run was taken from this worker');
    return { status: current?.status ?? 'aborted' };
  }
}

/** What fails because the run may no longer go on has not failed: it is aborted, whoever notices first. */
async function orAborted(
  { db, actor, patienceMs = PATIENCE_MS }: ExecuteDeps,
  job: Job,
  draft: JobReceiptDraft,
  signal: AbortSignal,
): Promise<JobReceiptDraft> {
  if (draft.kind === 'job.completed') return draft;
  const lost = await retryFault(() => findLostAuthority(db, job), { patienceMs, signal });
  return lost === undefined ? draft : abortedReceipt(job, actor, lost);
}
