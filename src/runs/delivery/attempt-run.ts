// Runs the engine once and turns what happened into a receipt. An error on a worker that is stopping is not the run's
// fault: the run is given back and keeps its attempt.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Json } from '../../base/canonical-json.ts';
import { AppError, errorBody } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Log } from '../../telemetry/log.ts';
import { isProgramGone } from '../../process/program-gone.ts';
import { scrubText } from '../../sandbox/egress/scrub-secrets.ts';
import { createRunStorage } from '../../enforcement/storage.ts';
import type { Queryable } from '../../store/database.ts';
import { findStorageFault } from '../../timing/database-fault.ts';
import { retryFault, type FaultOptions } from '../../timing/retry-fault.ts';
import type { RunReceiptDraft } from '../record/move-run.ts';
import { digestOf, type Run } from '../record/run.ts';
import type { ReleaseReason } from '../record/release-run.ts';
import { scrubJson } from '../record/scrub-json.ts';
import { appendRunLog } from '../record/run-log.ts';
import { type Engine, RunFailure, RunInterrupted, RunReleased } from './engine.ts';

export interface AttemptDeps {
  readonly db: Queryable;
  readonly log: Log;
  /** `system:<role>`. */
  readonly actor: string;
  readonly engineOf: (run: Run) => Engine | undefined;
  readonly artifactsDirectory: string;
  /** What an organization may keep: `SERVICE_STORAGE_PER_ORGANIZATION_BYTES`. */
  readonly storageBytes?: number;
  /** How long to keep retrying while the database cannot be reached. */
  readonly patienceMs?: number;
}

/** This worker's hold on a run. */
export interface Hold {
  /** Aborted when the run is no longer this worker's. */
  readonly taken: AbortController;
  /** The attempt that this worker makes, once it has claimed the run. */
  attempt?: number;
  /** Aborted when the worker stops. */
  readonly stopping?: AbortSignal;
}

/** Long, because giving up on recording an outcome would mean making the whole attempt again. */
export const PATIENCE_MS = 600_000;
/** A thousand steps write about four each. */
const PROGRESS_MAX = 10_000;
const CLEAN_UP_MS = 2_000;
/** The index of job.started right after job.queued; a run with a longer chain has begun before. */
const FIRST_BEGUN_INDEX = 1;
/** More than a run writes at a time, so that the next write does not fail again. */
const DISK_PROBE = Buffer.alloc(1024 * 1024, 'x');

/** The run is no longer this worker's. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

export async function attemptRun(
  { db, actor, engineOf, artifactsDirectory, storageBytes, log, patienceMs = PATIENCE_MS }: AttemptDeps,
  run: Run,
  { taken: { signal }, stopping }: Hold,
  append: (draft: RunReceiptDraft) => Promise<Run>,
): Promise<RunReceiptDraft | { readonly release: ReleaseReason } | { readonly interrupted: string }> {
  const { attempt } = run;
  const hidden: Buffer[] = [];
  const fail = (code: string, message: string): RunReceiptDraft => ({
    kind: 'job.failed',
    actor,
    body: { attempt, code },
    error: withCode(scrubText(hidden, message), code),
  });
  const engine = engineOf(run);
  if (!engine) return fail('engine_unavailable', 'This worker cannot execute this kind of run.');
  let steps = 0;
  const artifacts = async (): Promise<string> => {
    const directory = join(artifactsDirectory, run.id);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return directory;
  };
  try {
    const worked: Json = await orGivenUp(
      signal,
      engine({
        run,
        begunBefore: run.head.index > FIRST_BEGUN_INDEX,
        signal,
        artifacts,
        ...(storageBytes === undefined ? {} : { storage: createRunStorage(db, run, storageBytes) }),
        hide: (secrets) => void hidden.push(...secrets),
        async progress(given, content) {
          const readsMessage = given['type'] === 'message';
          // A message that cannot be recorded as read would keep the run from completing; they are bounded themselves.
          if (!readsMessage && ++steps > PROGRESS_MAX) return undefined;
          const [fact, detail] = [
            scrubJson(hidden, given),
            content === undefined ? undefined : scrubJson(hidden, content),
          ];
          const stored = detail === undefined ? undefined : await appendRunLog(await artifacts(), detail);
          const { head } = await append({
            kind: 'job.progress',
            actor,
            body: { attempt, progress: stored ? { ...fact, detail: stored } : fact },
            seen: readsMessage ? Number(fact['number']) : undefined,
          });
          return head.index;
        },
      }),
    );
    const result = scrubJson(hidden, worked);
    return { kind: 'job.completed', actor, body: { attempt, result: digestOf(result) }, result };
  } catch (error) {
    if (error instanceof Superseded || (signal.aborted && !(signal.reason instanceof RunReleased))) throw error;
    if (stopping?.aborted) return { release: 'worker_stopping' };
    if (error instanceof RunReleased) return { release: error.reason };
    // This worker's program was replaced on disk, so it ends; the worker that is started in its place goes on.
    if (isProgramGone(error)) return { release: 'program_replaced' };
    if (error instanceof RunFailure) return fail(error.code, error.message);
    if (error instanceof RunInterrupted) return { interrupted: error.reason };
    if (error instanceof AppError) return refused(fail, error);
    const fault = findStorageFault(error);
    if (fault !== undefined) {
      log.warn(
        { job: run.id, fault, err: error },
        'run interrupted because storage failed; it begins again once storage is back',
      );
      await waitForDiskSpace(artifactsDirectory, { patienceMs, signal }).catch(() => {});
      return { interrupted: 'storage_unavailable' };
    }
    log.error({ job: run.id, err: error }, 'run failed');
    return fail('internal', 'Something went wrong on our side.');
  }
}

/** Gives the engine a moment to clean up after the run was taken away; after that it is no longer waited for. */
function orGivenUp(signal: AbortSignal, work: Promise<Json>): Promise<Json> {
  const given = Promise.withResolvers<never>();
  const onAbort = (): void => void setTimeout(() => given.reject(signal.reason), CLEAN_UP_MS).unref();
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([work, given.promise]).finally(() => signal.removeEventListener('abort', onAbort));
}

function refused(fail: (code: string, message: string) => RunReceiptDraft, error: AppError): RunReceiptDraft {
  const { error: code, message = '' } = errorBody(error).body;
  return fail(code, message);
}

/** People quote the message when they ask for help, and the web app finds its own words by the code. */
export function withCode(message: string, code: string): string {
  return message === '' ? code : `${message} (${code})`;
}

/** Resolves once the directory can be written to; rejects when the patience runs out. A retry on a full disk would fail at once. */
async function waitForDiskSpace(directory: string, options: FaultOptions): Promise<void> {
  const file = join(directory, newId('room'));
  try {
    await retryFault(async () => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await writeFile(file, DISK_PROBE, { mode: 0o600 });
    }, options);
  } finally {
    await rm(file, { force: true });
  }
}
