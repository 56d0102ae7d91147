// A worker's part in a run: claim it, attempt it, record the outcome. The receipt is written before the broker is told,
// so if the worker dies in between, the next one finds the receipt. Delivery is at least once; the head of the chain makes
// the outcome exactly one.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../base/errors.ts';
import type { LinkedReceipt } from '../../receipts/receipt.ts';
import { serverTime } from '../../store/server-clock.ts';
import { findStorageFault } from '../../timing/database-fault.ts';
import { type FaultOptions, retryFault } from '../../timing/retry-fault.ts';
import { RETRIES } from '../../timing/retry-policies.ts';
import { retry } from '../../timing/retry.ts';
import { abortedReceipt } from '../record/abort-run.ts';
import { dropSnapshot } from '../record/drop-snapshot.ts';
import { findRun } from '../record/find-runs.ts';
import { countFruitless } from '../record/fruitless-attempts.ts';
import { type Run, streamOf } from '../record/run.ts';
import { isFinal, type RunStatus, MAX_ATTEMPTS } from '../record/run-states.ts';
import {
  appendRunReceipt,
  type Begin,
  beginRun,
  holdRun,
  type RunReceiptDraft,
  startedText,
} from '../record/move-run.ts';
import { type ReleaseReason, releasedReceipt, resumedReceipt, wasReleased } from '../record/release-run.ts';
import { hasUnread } from '../record/messages.ts';
import { replayRun } from '../record/replay-run.ts';
import { findLostAuthority } from '../record/run-authority.ts';
import type { WaitingReason } from '../record/waiting-reasons.ts';
import { RunEnded } from './engine.ts';
import { type AttemptDeps, attemptRun, type Hold, PATIENCE_MS, Superseded, withCode } from './attempt-run.ts';

export interface ExecuteDeps extends AttemptDeps {
  /** Why a run cannot begin at the moment; it stays as it is and is checked again later. */
  readonly findBlocker?: (run: Pick<Run, 'task'>) => Promise<WaitingReason | undefined>;
  /** Whether the workspace of a run is kept once it has ended, for runs that go on with it. */
  readonly keepsEndedWorkspaces?: boolean;
  readonly onAppended: (receipts: readonly Pick<LinkedReceipt, 'stream'>[]) => void;
}

type ClaimOutcome = { readonly status: RunStatus } | { readonly refused: string };

export type Outcome = ClaimOutcome | { readonly released: ReleaseReason };

const CLAIM_PATIENCE_MS = 60_000;
/**
 * A worker that cannot begin a run keeps it this long before it refuses. Refusing at once would leave it the worker with
 * the most free seats, and the broker would hand it the next run too, past the workers that could begin it.
 */
const BLOCKED_KEEP_SECONDS = 3;
/** Later than the refusal: a call that is still pending when the run is checked is left alone for much longer. */
const BLOCKED_RETRY_SECONDS = BLOCKED_KEEP_SECONDS + 1;
/** A worker that is stopping has no time to wait for the database. */
const RELEASE_PATIENCE_MS = 3_000;

export async function executeRun(deps: ExecuteDeps, runId: string, hold: Hold): Promise<Outcome> {
  const { taken } = hold;
  const claimed = await claimRun(deps, runId, hold);
  if ('outcome' in claimed) return claimed.outcome;
  let { run } = claimed;
  hold.attempt = run.attempt;

  const appendNext = async (
    draft: RunReceiptDraft,
    waiting: FaultOptions = { patienceMs: deps.patienceMs ?? PATIENCE_MS, signal: taken.signal },
  ): Promise<Run> => {
    const moved = await appendRunReceipt(deps.db, run, draft, waiting);
    if (!moved) {
      if (draft.kind === 'job.completed' && (await hasUnread(deps.db, run))) return run;
      const current = await findRun(deps.db, runId).catch(() => undefined);
      const superseded = new Superseded('another receipt came first');
      taken.abort(current && isFinal(current.status) ? new RunEnded(`the run is ${current.status}`) : superseded);
      throw superseded;
    }
    run = moved;
    deps.onAppended([{ stream: streamOf(run) }]);
    return run;
  };
  // One at a time: each receipt names the head that the previous one left.
  let last = Promise.resolve(run);
  let released = false;
  const append = async (draft: RunReceiptDraft): Promise<Run> => {
    // The engine may not have noticed yet; its late progress is not recorded.
    if (released) throw new Superseded('the run was given back');
    return (last = last.then(() => appendNext(draft)));
  };
  const release = async (reason: ReleaseReason): Promise<Outcome> => {
    released = true;
    await (last = last.then(() =>
      appendNext(releasedReceipt(run, deps.actor, reason), { patienceMs: RELEASE_PATIENCE_MS }),
    ));
    deps.log.info({ job: runId, attempt: run.attempt, reason }, 'run released');
    return { released: reason };
  };

  try {
    for (;;) {
      const ended = await attemptRun(deps, run, hold, append);
      if ('release' in ended) return await release(ended.release);
      const outcome =
        'interrupted' in ended
          ? retriedReceipt(run, deps.actor, ended.interrupted, await countAttempts(deps, run, taken.signal))
          : ended;
      const draft = await orAborted(deps, run, outcome, taken.signal);
      if (draft.kind === 'job.retried') hold.attempt = run.attempt + 1;
      await append(draft);
      // It is not over when someone said something as it was about to complete: the same attempt goes on and reads that.
      if (!isFinal(run.status)) continue;
      if (deps.keepsEndedWorkspaces === false) await dropWorkspace(deps, runId);
      return { status: run.status };
    }
  } catch (error) {
    if (!(error instanceof Superseded) && !taken.signal.aborted) throw error;
    const current = await findRun(deps.db, runId);
    deps.log.info({ job: runId, status: current?.status }, 'run is no longer with this worker');
    return { status: current?.status ?? 'aborted' };
  }
}

/** The run with this attempt's receipt on its chain, or how it ended without one. */
type Claim = { readonly run: Run } | { readonly outcome: ClaimOutcome };

async function claimRun(deps: ExecuteDeps, runId: string, hold: Hold): Promise<Claim> {
  const at = serverTime(deps.db);
  const begin = { id: runId, at, text: startedText(deps.actor, at) };
  const begun = await tryFastStart(deps, begin);
  if (!begun) return retry(RETRIES.runHead, () => claimOnce(deps, begin, hold));
  deps.onAppended([{ stream: streamOf(begun) }]);
  return { run: begun };
}

/** Throws a conflict if the run moves in the meantime. */
async function claimOnce(deps: ExecuteDeps, { id: runId, text }: Begin, hold: Hold): Promise<Claim> {
  const { db, actor, log, onAppended, findBlocker, patienceMs = CLAIM_PATIENCE_MS } = deps;
  const run = await findRun(db, runId);
  if (!run) return { outcome: { refused: 'not_found' } };
  let receipts: readonly LinkedReceipt[];
  try {
    ({ receipts } = await replayRun(db, run));
    // The fast start was committed, but its answer was lost.
    if (receipts.at(-1)?.text === text) return { run };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'receipt_chain_invalid') throw error;
    log.error({ job: runId, err: error }, 'refusing to execute run: its receipt chain is invalid');
    await holdRun(db, runId, 'receipt_chain_invalid', { error: error.message });
    return { outcome: { refused: error.message } };
  }
  if (isFinal(run.status)) return { outcome: { status: run.status } };
  const lost = await findLostAuthority(db, run);
  const blocker = lost === undefined ? await findBlocker?.(run) : undefined;
  if (blocker !== undefined) {
    await holdRun(db, runId, blocker, { againSeconds: BLOCKED_RETRY_SECONDS });
    await keepBlocked(hold);
    return { outcome: { refused: blocker } };
  }
  const first =
    lost !== undefined
      ? abortedReceipt(run, actor, lost)
      : wasReleased(receipts)
        ? resumedReceipt(run, actor)
        : run.status === 'queued'
          ? { kind: 'job.started' as const, actor, body: { attempt: 1 } }
          : retriedReceipt(run, actor, 'worker_lost', countFruitless(receipts));
  const moved = await appendRunReceipt(db, run, first, { patienceMs });
  if (!moved) throw new AppError('conflict', { job: runId });
  onAppended([{ stream: streamOf(run) }]);
  return isFinal(moved.status) ? { outcome: { status: moved.status } } : { run: moved };
}

/** The daily clean-up has those that are left here. */
async function dropWorkspace({ db, artifactsDirectory, log }: ExecuteDeps, runId: string): Promise<void> {
  await dropSnapshot(db, artifactsDirectory, runId).catch((error: unknown) =>
    log.warn({ job: runId, err: error }, 'could not remove the workspace of a run that has ended'),
  );
}

/** Ends early when the run is taken from this worker or the worker stops. */
async function keepBlocked({ taken, stopping }: Hold): Promise<void> {
  const signal = stopping ? AbortSignal.any([taken.signal, stopping]) : taken.signal;
  await sleep(BLOCKED_KEEP_SECONDS * 1_000, undefined, { signal }).catch(() => {});
}

/** Begins the run in one statement, unless something blocks runs in general. */
async function tryFastStart({ db, findBlocker }: ExecuteDeps, begin: Begin): Promise<Run | undefined> {
  if ((await findBlocker?.({ task: undefined })) !== undefined) return undefined;
  return beginRun(db, begin).catch((error: unknown) => {
    if (findStorageFault(error) === undefined) throw error;
    return undefined;
  });
}

function countAttempts({ db, patienceMs = PATIENCE_MS }: ExecuteDeps, run: Run, signal: AbortSignal): Promise<number> {
  return retryFault(async () => countFruitless((await replayRun(db, run)).receipts), { patienceMs, signal });
}

/** An attempt was lost: the next one goes on, or the run fails once it has got nowhere in all that it may make. */
function retriedReceipt({ attempt }: Run, actor: string, reason: string, fruitless: number): RunReceiptDraft {
  if (fruitless < MAX_ATTEMPTS) return { kind: 'job.retried', actor, body: { attempt: attempt + 1, reason } };
  return {
    kind: 'job.failed',
    actor,
    body: { attempt, code: 'attempts_exhausted' },
    error: withCode(
      `The run was interrupted ${MAX_ATTEMPTS} times in a row without finishing a step.`,
      'attempts_exhausted',
    ),
  };
}

/** A run that fails after it lost its authority is recorded as aborted: the failure is only a consequence. */
async function orAborted(
  { db, actor, patienceMs = PATIENCE_MS }: ExecuteDeps,
  run: Run,
  draft: RunReceiptDraft,
  signal: AbortSignal,
): Promise<RunReceiptDraft> {
  if (draft.kind === 'job.completed') return draft;
  const lost = await retryFault(() => findLostAuthority(db, run), { patienceMs, signal });
  return lost === undefined ? draft : abortedReceipt(run, actor, lost);
}
