// Runs the engine once and says what the attempt came to. Whatever goes wrong with a worker that stops is not the run's
// fault: the run is given back and keeps its attempt.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json } from '../../base/canonical-json.ts';
import { AppError, errorBody } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { isProgramGone } from '../../base/program-gone.ts';
import { createRunStorage } from '../../enforcement/storage.ts';
import type { Queryable } from '../../store/database.ts';
import { findStorageFault } from '../../timing/database-fault.ts';
import type { JobReceiptDraft } from '../record/append-job-receipt.ts';
import { digestOf, type Job } from '../record/job.ts';
import { MAX_ATTEMPTS } from '../record/job-states.ts';
import type { ReleaseReason } from '../record/release-job.ts';
import { appendRunLog } from '../record/run-log.ts';
import { type Engine, RunFailure, RunInterrupted, RunReleased } from './engine.ts';
import { waitForRoom } from './wait-for-room.ts';

export interface AttemptDeps {
  readonly db: Queryable;
  readonly log: Log;
  /** `system:<role>`. */
  readonly actor: string;
  readonly engineOf: (job: Job) => Engine | undefined;
  readonly artifactsDirectory: string;
  /** What an organization may keep: `SERVICE_STORAGE_PER_ORGANIZATION_BYTES`. */
  readonly storageBytes?: number;
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

/** A worker waits long with an outcome in its hands: the attempt would have to be made again. */
export const PATIENCE_MS = 600_000;
const PROGRESS_MAX = 1_000;
const CLEAN_UP_MS = 2_000;
/** Of job.started behind job.queued: a run whose chain is longer was begun before. */
const FIRST_BEGUN_INDEX = 1;

/** The run is no longer this worker's. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

export async function attemptRun(
  { db, actor, engineOf, artifactsDirectory, storageBytes, log, patienceMs = PATIENCE_MS }: AttemptDeps,
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
    return fail('internal', 'Something went wrong on our side.');
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
