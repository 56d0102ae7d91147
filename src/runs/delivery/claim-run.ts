// Makes a run this worker's: its receipt of this attempt is on the chain, or somebody else's word about the run is final.
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { LinkedReceipt } from '../../receipts/receipt.ts';
import type { Queryable } from '../../store/database.ts';
import { findStorageFault } from '../../timing/database-fault.ts';
import { abortedReceipt } from '../record/abort-job.ts';
import { appendJobReceipt, type JobReceiptDraft } from '../record/append-job-receipt.ts';
import { beginJob, startedText } from '../record/begin-job.ts';
import { findJob } from '../record/find-job.ts';
import { holdJob } from '../record/hold-job.ts';
import { type Job, streamOf } from '../record/job.ts';
import { isFinal, type JobStatus, MAX_ATTEMPTS } from '../record/job-states.ts';
import { resumedReceipt, wasReleased } from '../record/release-job.ts';
import { replayJob } from '../record/replay-job.ts';
import { findLostAuthority } from '../record/run-authority.ts';
import type { WaitingReason } from '../record/waiting-reasons.ts';

export interface ClaimDeps {
  readonly db: Queryable;
  readonly log: Log;
  /** `system:<role>`. */
  readonly actor: string;
  /** Why a run cannot begin at the moment; it is left as it is, and looked at again. */
  readonly findBlocker?: (job: Pick<Job, 'task'>) => Promise<WaitingReason | undefined>;
  readonly onAppended: (receipts: readonly Pick<LinkedReceipt, 'stream'>[]) => void;
  /** For how long a database that cannot be reached is asked again. */
  readonly patienceMs?: number;
}

export type ClaimOutcome = { readonly status: JobStatus } | { readonly refused: string };

const CLAIM_PATIENCE_MS = 60_000;
const CLAIM_TRIES = 20;
const BLOCKED_RETRY_SECONDS = 3;

/** The job with this attempt's receipt on its chain, or how it has ended. */
export async function claimRun(
  { db, actor, log, onAppended, findBlocker, patienceMs = CLAIM_PATIENCE_MS }: ClaimDeps,
  jobId: string,
): Promise<{ job: Job } | { outcome: ClaimOutcome }> {
  const at = new Date();
  const text = startedText(actor, at);
  const begun = await tryFastStart(db, findBlocker, { id: jobId, at, text });
  if (begun) {
    onAppended([{ stream: streamOf(begun) }]);
    return { job: begun };
  }
  for (let tries = 0; tries < CLAIM_TRIES; tries++) {
    const job = await findJob(db, jobId);
    if (!job) return { outcome: { refused: 'not_found' } };
    let goesOn: boolean;
    try {
      const { receipts } = await replayJob(db, job);
      // The answer was lost, the receipt was not.
      if (receipts.at(-1)?.text === text) return { job };
      goesOn = wasReleased(receipts);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'receipt_chain_invalid') throw error;
      log.error({ job: jobId, err: error }, 'refusing to execute a run: its receipt chain is invalid');
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
        : goesOn
          ? resumedReceipt(job, actor)
          : firstReceipt(job, actor);
    const moved = await appendJobReceipt(db, job, first, { patienceMs });
    if (!moved) continue;
    onAppended([{ stream: streamOf(job) }]);
    return isFinal(moved.status) ? { outcome: { status: moved.status } } : { job: moved };
  }
  throw new AppError('conflict', { job: jobId });
}

/** The short way, where nothing could keep any run from beginning. */
async function tryFastStart(
  db: Queryable,
  findBlocker: ClaimDeps['findBlocker'],
  begin: Parameters<typeof beginJob>[1],
): Promise<Job | undefined> {
  if ((await findBlocker?.({ task: undefined })) !== undefined) return undefined;
  return beginJob(db, begin).catch((error: unknown) => {
    if (findStorageFault(error) === undefined) throw error;
    return undefined;
  });
}

/** A job that is running had a worker that is gone: it begins again, or has been given up on. */
function firstReceipt(job: Job, actor: string): JobReceiptDraft {
  if (job.status === 'queued') return { kind: 'job.started', actor, body: { attempt: 1 } };
  if (job.attempt < MAX_ATTEMPTS)
    return { kind: 'job.retried', actor, body: { attempt: job.attempt + 1, reason: 'worker_lost' } };
  return {
    kind: 'job.failed',
    actor,
    body: { attempt: job.attempt, code: 'attempts_exhausted' },
    error: `The run was begun ${MAX_ATTEMPTS} times, and each time its worker was lost.`,
  };
}
