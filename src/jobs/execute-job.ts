// One attempt at a run. The receipt is written first, then the broker is told: whoever dies in between is replaced
// by somebody who finds the receipt. Delivery is at least once; the head of the chain is what makes the outcome one.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../base/errors.ts';
import type { Json } from '../base/canonical-json.ts';
import type { Log } from '../base/log.ts';
import type { LinkedReceipt } from '../receipts/receipt.ts';
import type { Queryable } from '../store/database.ts';
import { appendJobReceipt, type JobReceiptDraft } from './append-job-receipt.ts';
import { type Engine, RunFailure } from './engine.ts';
import { findJob } from './find-job.ts';
import { digestOf, type Job, streamOf } from './job.ts';
import { isFinal, type JobStatus, MAX_ATTEMPTS } from './job-states.ts';
import { replayJob } from './replay-job.ts';
import { holdJob } from './hold-job.ts';

export interface ExecuteDeps {
  readonly db: Queryable;
  readonly log: Log;
  /** `system:<role>`. */
  readonly actor: string;
  readonly engineOf: (job: Job) => Engine | undefined;
  readonly artifactsDirectory: string;
  readonly onAppended: (receipts: readonly Pick<LinkedReceipt, 'stream'>[]) => void;
  /** For how long a database that cannot be reached is asked again. */
  readonly patienceMs?: number;
}

/** This worker's hold on a run. */
export interface Hold {
  /** Aborted when the run is no longer this worker's. */
  readonly taken: AbortController;
  /** The attempt that is this worker's, once it is. */
  attempt?: number;
}

export type Outcome = { readonly status: JobStatus } | { readonly refused: string };

const PATIENCE_MS = 60_000;
const PROGRESS_MAX = 1_000;
const CLAIM_TRIES = 20;

/** The run is no longer this worker's. */
class Superseded extends Error {
  override readonly name = 'Superseded';
}

export async function executeJob(deps: ExecuteDeps, jobId: string, hold: Hold): Promise<Outcome> {
  const { taken } = hold;
  const claimed = await claim(deps, jobId);
  if ('outcome' in claimed) return claimed.outcome;
  let { job } = claimed;
  hold.attempt = job.attempt;

  const appendNext = async (draft: JobReceiptDraft): Promise<void> => {
    const moved = await appendJobReceipt(deps.db, job, draft, { patienceMs: deps.patienceMs ?? PATIENCE_MS });
    if (!moved) {
      taken.abort(new Superseded('another receipt came first'));
      throw new Superseded('another receipt came first');
    }
    job = moved;
    deps.onAppended([{ stream: streamOf(job) }]);
  };
  // One after the other: each names the head that the one before left.
  let last = Promise.resolve();
  const append = (draft: JobReceiptDraft): Promise<void> => (last = last.then(() => appendNext(draft)));

  try {
    await append(await attemptRun(deps, job, taken.signal, append));
    return { status: job.status };
  } catch (error) {
    if (!(error instanceof Superseded) && !taken.signal.aborted) throw error;
    const current = await findJob(deps.db, jobId);
    deps.log.info({ job: jobId, status: current?.status }, 'a run was taken from this worker');
    return { status: current?.status ?? 'aborted' };
  }
}

/** The job with this attempt's receipt on its chain, or how it has ended. */
async function claim({ db, actor, log, onAppended, patienceMs = PATIENCE_MS }: ExecuteDeps, jobId: string): Promise<{ job: Job } | { outcome: Outcome }> {
  for (let tries = 0; tries < CLAIM_TRIES; tries++) {
    const job = await findJob(db, jobId);
    if (!job) return { outcome: { refused: 'not_found' } };
    try {
      await replayJob(db, job);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'receipt_chain_invalid') throw error;
      log.error({ job: jobId, err: error }, 'a run is not executed');
      await holdJob(db, jobId, 'receipt_chain_invalid');
      return { outcome: { refused: error.message } };
    }
    if (isFinal(job.status)) return { outcome: { status: job.status } };
    const moved = await appendJobReceipt(db, job, firstReceipt(job, actor), { patienceMs });
    if (!moved) continue;
    onAppended([{ stream: streamOf(job) }]);
    return isFinal(moved.status) ? { outcome: { status: moved.status } } : { job: moved };
  }
  throw new AppError('conflict', { job: jobId });
}

/** A job that is running had a worker that is gone: it begins again, or has been given up on. */
function firstReceipt(job: Job, actor: string): JobReceiptDraft {
  if (job.status === 'queued') return { kind: 'job.started', actor, body: { attempt: 1 } };
  if (job.attempt < MAX_ATTEMPTS) return { kind: 'job.retried', actor, body: { attempt: job.attempt + 1, reason: 'worker_lost' } };
  return { kind: 'job.failed', actor, body: { attempt: job.attempt, code: 'attempts_exhausted' }, error: `The run was begun ${MAX_ATTEMPTS} times, and each time its worker was lost.` };
}

async function attemptRun({ actor, engineOf, artifactsDirectory, log }: ExecuteDeps, job: Job, signal: AbortSignal, append: (draft: JobReceiptDraft) => Promise<void>): Promise<JobReceiptDraft> {
  const { attempt } = job;
  const fail = (code: string, message: string): JobReceiptDraft => ({ kind: 'job.failed', actor, body: { attempt, code }, error: message });
  const engine = engineOf(job);
  if (!engine) return fail('engine_unavailable', 'Nothing on this worker can execute this run.');
  let steps = 0;
  try {
    const result: Json = await engine({
      job,
      signal,
      async artifacts() {
        const directory = join(artifactsDirectory, job.id);
        await mkdir(directory, { recursive: true, mode: 0o700 });
        return directory;
      },
      async progress(body) {
        if (++steps <= PROGRESS_MAX) await append({ kind: 'job.progress', actor, body: { attempt, progress: body } });
      },
    });
    return { kind: 'job.completed', actor, body: { attempt, result: digestOf(result) }, result };
  } catch (error) {
    if (error instanceof Superseded || signal.aborted) throw error;
    if (error instanceof RunFailure) return fail(error.code, error.message);
    if (error instanceof AppError) return fail(error.code, error.message);
    log.error({ job: job.id, err: error }, 'a run failed');
    return fail('internal', 'Something failed on our side.');
  }
}
