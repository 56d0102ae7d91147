// One attempt at a run. The receipt is written first, then the broker is told: whoever dies in between is replaced
// by somebody who finds the receipt. Delivery is at least once; the head of the chain is what makes the outcome one.
// Whatever goes wrong with a worker that stops is not the run's fault: the run is given back and keeps its attempt.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, errorBody } from '../base/errors.ts';
import type { Json } from '../base/canonical-json.ts';
import type { Log } from '../base/log.ts';
import { isProgramGone } from '../base/program-gone.ts';
import { createRunStorage } from '../enforcement/storage.ts';
import type { LinkedReceipt } from '../receipts/receipt.ts';
import type { Queryable } from '../store/database.ts';
import { retryFault, type RetryOptions } from '../timing/retry-fault.ts';
import { findStorageFault } from '../timing/database-fault.ts';
import { abortedReceipt } from './abort-job.ts';
import { appendJobReceipt, type JobReceiptDraft } from './append-job-receipt.ts';
import { beginJob, startedText } from './begin-job.ts';
import { type Engine, RunFailure, RunInterrupted, RunReleased } from './engine.ts';
import { findJob } from './find-job.ts';
import { digestOf, type Job, streamOf } from './job.ts';
import { isFinal, type JobStatus, MAX_ATTEMPTS } from './job-states.ts';
import { holdJob } from './hold-job.ts';
import { type ReleaseReason, releasedReceipt, resumedReceipt, wasReleased } from './release-job.ts';
import { replayJob } from './replay-job.ts';
import { findLostAuthority } from './run-authority.ts';
import { appendRunLog } from './run-log.ts';
import { waitForRoom } from './wait-for-room.ts';
import type { WaitingReason } from './waiting-reasons.ts';

export interface ExecuteDeps {
  readonly db: Queryable;
  readonly log: Log;
  /** `system:<role>`. */
  readonly actor: string;
  readonly engineOf: (job: Job) => Engine | undefined;
  /** Why a job cannot begin at the moment; it is left as it is, and looked after again. */
  readonly findHindrance?: (job: Pick<Job, 'task'>) => Promise<WaitingReason | undefined>;
  readonly artifactsDirectory: string;
  /** What an organization may keep: `SERVICE_STORAGE_PER_ORGANIZATION_BYTES`. */
  readonly storageBytes?: number;
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
  /** Aborted when the worker stops. */
  readonly stopping?: AbortSignal;
}

export type Outcome =
  | { readonly status: JobStatus }
  | { readonly refused: string }
  | { readonly released: ReleaseReason };

/** A worker waits long with an outcome in its hands: the attempt would have to be made again. */
const PATIENCE_MS = 600_000;
const CLAIM_PATIENCE_MS = 60_000;
const PROGRESS_MAX = 1_000;
const CLAIM_TRIES = 20;
const HINDERED_SECONDS = 3;
/** A worker that stops does not have the time to wait for the database. */
const RELEASE_PATIENCE_MS = 3_000;
const CLEAN_UP_MS = 2_000;
/** Of job.started behind job.queued: a run whose chain is longer was begun before. */
const FIRST_BEGUN_INDEX = 1;

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

/** The job with this attempt's receipt on its chain, or how it has ended. */
async function claim(
  { db, actor, log, onAppended, findHindrance, patienceMs = CLAIM_PATIENCE_MS }: ExecuteDeps,
  jobId: string,
): Promise<{ job: Job } | { outcome: Outcome }> {
  const at = new Date();
  const text = startedText(actor, at);
  const begun = await beginUnhindered(db, findHindrance, { id: jobId, at, text });
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
      log.error({ job: jobId, err: error }, 'a run is not executed');
      await holdJob(db, jobId, 'receipt_chain_invalid', { error: error.message });
      return { outcome: { refused: error.message } };
    }
    if (isFinal(job.status)) return { outcome: { status: job.status } };
    const lost = await findLostAuthority(db, job);
    const hindrance = lost === undefined ? await findHindrance?.(job) : undefined;
    if (hindrance !== undefined) {
      await holdJob(db, jobId, hindrance, { againSeconds: HINDERED_SECONDS });
      return { outcome: { refused: hindrance } };
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
async function beginUnhindered(
  db: Queryable,
  findHindrance: ExecuteDeps['findHindrance'],
  begin: Parameters<typeof beginJob>[1],
): Promise<Job | undefined> {
  if ((await findHindrance?.({ task: undefined })) !== undefined) return undefined;
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

async function attemptRun(
  { db, actor, engineOf, artifactsDirectory, storageBytes, log, patienceMs = PATIENCE_MS }: ExecuteDeps,
  job: Job,
  { taken: { signal }, stopping }: Hold,
  append: (draft: JobReceiptDraft) => Promise<void>,
): Promise<JobReceiptDraft | { readonly release: ReleaseReason }> {
  const { attempt } = job;
  const fail = (code: string, message: string): JobReceiptDraft => ({
    kind: 'job.failed',
    actor,
    body: { attempt, code },
    error: message,
  });
  const engine = engineOf(job);
  if (!engine) return fail('engine_unavailable', 'Nothing on this worker can execute this run.');
  let steps = 0;
  const artifacts = async (): Promise<string> => {
    const directory = join(artifactsDirectory, job.id);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return directory;
  };
  try {
    const result: Json = await orGivenUp(
      signal,
      engine({
        job,
        begunBefore: job.head.index > FIRST_BEGUN_INDEX,
        signal,
        artifacts,
        ...(storageBytes === undefined ? {} : { storage: createRunStorage(db, job, storageBytes) }),
        async progress(fact, detail) {
          if (++steps > PROGRESS_MAX) return;
          const stored = detail === undefined ? undefined : await appendRunLog(await artifacts(), detail);
          await append({
            kind: 'job.progress',
            actor,
            body: { attempt, progress: stored ? { ...fact, detail: stored } : fact },
          });
        },
      }),
    );
    return { kind: 'job.completed', actor, body: { attempt, result: digestOf(result) }, result };
  } catch (error) {
    if (error instanceof Superseded || (signal.aborted && !(signal.reason instanceof RunReleased))) throw error;
    if (stopping?.aborted) return { release: 'worker_stopping' };
    if (error instanceof RunReleased) return { release: error.reason };
    // This worker cannot do it and ends; the one that is started in its place can.
    if (isProgramGone(error)) return { release: 'program_replaced' };
    if (error instanceof RunFailure) return fail(error.code, error.message);
    if (error instanceof RunInterrupted) return interrupted(job, actor, error.reason);
    if (error instanceof AppError) return refused(fail, error);
    const fault = findStorageFault(error);
    if (fault !== undefined) {
      log.warn(
        { job: job.id, fault, err: error },
        'a run was interrupted, because storage failed; it begins again once that is over',
      );
      await waitForRoom(artifactsDirectory, { patienceMs, signal }).catch(() => {});
      return interrupted(job, actor, 'storage_unavailable');
    }
    log.error({ job: job.id, err: error }, 'a run failed');
    return fail('internal', 'Something failed on our side.');
  }
}

/** An engine has a moment to clean up behind a run that is no longer its own; one that does not end then is not waited for. */
function orGivenUp(signal: AbortSignal, work: Promise<Json>): Promise<Json> {
  const given = Promise.withResolvers<never>();
  const onAbort = (): void => void setTimeout(() => given.reject(signal.reason), CLEAN_UP_MS).unref();
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([work, given.promise]).finally(() => signal.removeEventListener('abort', onAbort));
}

function interrupted({ attempt }: Job, actor: string, reason: string): JobReceiptDraft {
  if (attempt < MAX_ATTEMPTS) return { kind: 'job.retried', actor, body: { attempt: attempt + 1, reason } };
  return {
    kind: 'job.failed',
    actor,
    body: { attempt, code: 'attempts_exhausted' },
    error: `The run was begun ${MAX_ATTEMPTS} times, and each time it was interrupted.`,
  };
}

/** The code of the specification, and behind the words for people once more, because they may quote it. */
function refused(fail: (code: string, message: string) => JobReceiptDraft, error: AppError): JobReceiptDraft {
  const { error: code, message = '' } = errorBody(error).body;
  return fail(code, message === '' ? code : `${message} (${code})`);
}
