// A worker's part in a run: claim it, attempt it, record the outcome. The receipt is written before the broker is told,
// so if the worker dies in between, the next one finds the receipt. Delivery is at least once; the head of the chain makes
// the outcome exactly one.
import { AppError } from '../../base/errors.ts';
import type { LinkedReceipt } from '../../receipts/receipt.ts';
import { findStorageFault } from '../../timing/database-fault.ts';
import { retryFault, type RetryOptions } from '../../timing/retry-fault.ts';
import { abortedReceipt } from '../record/abort-job.ts';
import { findJob } from '../record/find-jobs.ts';
import { type Job, streamOf } from '../record/job.ts';
import { isFinal, type JobStatus, MAX_ATTEMPTS } from '../record/job-states.ts';
import {
  appendJobReceipt,
  type Begin,
  beginJob,
  holdJob,
  type JobReceiptDraft,
  startedText,
} from '../record/move-job.ts';
import { type ReleaseReason, releasedReceipt, resumedReceipt, wasReleased } from '../record/release-job.ts';
import { replayJob } from '../record/replay-job.ts';
import { findLostAuthority } from '../record/run-authority.ts';
import type { WaitingReason } from '../record/waiting-reasons.ts';
import { type AttemptDeps, attemptRun, type Hold, PATIENCE_MS, Superseded } from './attempt-run.ts';

export interface ExecuteDeps extends AttemptDeps {
  /** Why a run cannot begin at the moment; it stays as it is and is checked again later. */
  readonly findBlocker?: (job: Pick<Job, 'task'>) => Promise<WaitingReason | undefined>;
  readonly onAppended: (receipts: readonly Pick<LinkedReceipt, 'stream'>[]) => void;
}

type ClaimOutcome = { readonly status: JobStatus } | { readonly refused: string };

export type Outcome = ClaimOutcome | { readonly released: ReleaseReason };

const CLAIM_PATIENCE_MS = 60_000;
const CLAIM_TRIES = 20;
const BLOCKED_RETRY_SECONDS = 3;
/** A worker that is stopping has no time to wait for the database. */
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
  // One at a time: each receipt names the head that the previous one left.
  let last = Promise.resolve();
  let released = false;
  const append = async (draft: JobReceiptDraft): Promise<void> => {
    // The engine may not have noticed yet; its late progress is not recorded.
    if (released) throw new Superseded('the run was given back');
    await (last = last.then(() => appendNext(draft)));
  };
  const release = async (reason: ReleaseReason): Promise<Outcome> => {
    released = true;
    await (last = last.then(() =>
      appendNext(releasedReceipt(job, deps.actor, reason), { patienceMs: RELEASE_PATIENCE_MS }),
    ));
    deps.log.info({ job: jobId, attempt: job.attempt, reason }, 'run given back');
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
    deps.log.info({ job: jobId, status: current?.status }, 'run taken from this worker');
    return { status: current?.status ?? 'aborted' };
  }
}

/** The run with this attempt's receipt on its chain, or how it ended without one. */
async function claimRun(deps: ExecuteDeps, jobId: string): Promise<{ job: Job } | { outcome: ClaimOutcome }> {
  const { db, actor, log, onAppended, findBlocker, patienceMs = CLAIM_PATIENCE_MS } = deps;
  const at = new Date();
  const text = startedText(actor, at);
  const begun = await tryFastStart(deps, { id: jobId, at, text });
  if (begun) {
    onAppended([{ stream: streamOf(begun) }]);
    return { job: begun };
  }
  for (let tries = 0; tries < CLAIM_TRIES; tries++) {
    const job = await findJob(db, jobId);
    if (!job) return { outcome: { refused: 'not_found' } };
    let resumes: boolean;
    try {
      const { receipts } = await replayJob(db, job);
      // The fast start was committed, but its answer was lost.
      if (receipts.at(-1)?.text === text) return { job };
      resumes = wasReleased(receipts);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'receipt_chain_invalid') throw error;
      log.error({ job: jobId, err: error }, 'refusing to execute run: its receipt chain is invalid');
      await holdJob(db, jobId, 'receipt_chain_invalid', { error: error.message });
      return { outcome: { refused: error.message } };
    }
    if (isFinal(job.status)) return { outcome: { status: job.status } };
    const lost = await findLostAuthority(db, job);
    const blocker = lost === undefined ? await findBlocker?.(job) : undefined;
    if (blocker !== undefined) {
      await holdJob(db, jobId, blocker, { againSeconds: BLOCKED_RETRY_SECONDS });
      return { outcome: { refused: blocker } };
    }
    const first =
      lost !== undefined
        ? abortedReceipt(job, actor, lost)
        : resumes
          ? resumedReceipt(job, actor)
          : firstReceipt(job, actor);
    const moved = await appendJobReceipt(db, job, first, { patienceMs });
    if (!moved) continue;
    onAppended([{ stream: streamOf(job) }]);
    return isFinal(moved.status) ? { outcome: { status: moved.status } } : { job: moved };
  }
  throw new AppError('conflict', { job: jobId });
}

/** Begins the run in one statement, unless something blocks runs in general. */
async function tryFastStart({ db, findBlocker }: ExecuteDeps, begin: Begin): Promise<Job | undefined> {
  if ((await findBlocker?.({ task: undefined })) !== undefined) return undefined;
  return beginJob(db, begin).catch((error: unknown) => {
    if (findStorageFault(error) === undefined) throw error;
    return undefined;
  });
}

/** A run that is already running has lost its worker: it begins again, or fails once all attempts are used. */
function firstReceipt(job: Job, actor: string): JobReceiptDraft {
  if (job.status === 'queued') return { kind: 'job.started', actor, body: { attempt: 1 } };
  if (job.attempt < MAX_ATTEMPTS)
    return { kind: 'job.retried', actor, body: { attempt: job.attempt + 1, reason: 'worker_lost' } };
  return {
    kind: 'job.failed',
    actor,
    body: { attempt: job.attempt, code: 'attempts_exhausted' },
    error: `The run was started ${MAX_ATTEMPTS} times, and its worker was lost each time.`,
  };
}

/** A run that fails after it lost its authority is recorded as aborted: the failure is only a consequence. */
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
