// How the row of a run changes once it exists. appendJobReceipt moves it from the head that the caller saw to the next
// one and stores the receipt in the same statement; a caller that saw an older head changes nothing. beginJob is the fast
// path for a run that has not begun. holdJob leaves a run where it is and shows why. Concurrent calls share a statement.
import type { Json } from '../../base/canonical-json.ts';
import { findStored } from '../../receipts/append-receipts.ts';
import { type LinkedReceipt, linkReceipt, receiptText } from '../../receipts/receipt.ts';
import type { Queryable } from '../../store/database.ts';
import { runBatched } from '../../store/statement-batches.ts';
import { retryFault, type RetryOptions } from '../../timing/retry-fault.ts';
import { hex, type Job, jobColumns, type JobRow, stateOf, streamOf, toJob } from './job.ts';
import { foldReceipt, isFinal, type JobReceiptKind } from './job-states.ts';
import type { WaitingReason } from './waiting-reasons.ts';

export interface JobReceiptDraft {
  readonly kind: Exclude<JobReceiptKind, 'job.queued'>;
  readonly actor: string;
  readonly body: Json;
  /** For the row only: receipts hold hashes and short facts. */
  readonly result?: Json | undefined;
  readonly error?: string | undefined;
}

export interface AppendOptions extends Partial<RetryOptions> {
  readonly at?: Date;
}

const PATIENCE_MS = 2_000;
/** When a run that has moved and is not over is checked again. */
const LOOK_AGAIN_SECONDS = 20;

interface Move {
  readonly job: Job;
  readonly receipt: LinkedReceipt;
}

/** Returns whether each run was moved. */
async function moveMany(on: Queryable, moves: readonly Move[]): Promise<boolean[]> {
  const rows = moves.map(({ job, receipt }) => ({
    id: job.id,
    stream: receipt.stream,
    idx: receipt.index,
    prev: hex(receipt.prev),
    hash: hex(receipt.hash),
    body: receipt.text,
    status: job.status,
    attempt: job.attempt,
    started_at: job.startedAt,
    ended_at: job.endedAt,
    result: job.result,
    error: job.error,
  }));
  const moved = await on.query<{ hash: Buffer }>('select hash from :schema.job_move($1, $2) as hash', [
    JSON.stringify(rows),
    LOOK_AGAIN_SECONDS,
  ]);
  const stored = new Set(moved.rows.map(({ hash }) => hash.toString('hex')));
  // Of two identical receipts in one batch, only one moved the run.
  return moves.map(({ receipt }) => stored.delete(receipt.hash.toString('hex')));
}

/**
 * The run as it is now, or undefined when its head is no longer the one that the caller saw. When the database's answer
 * is lost, the same receipt is sent again: it is either found or stored then, never twice.
 */
export async function appendJobReceipt(
  on: Queryable,
  job: Job,
  draft: JobReceiptDraft,
  { at = new Date(), patienceMs = PATIENCE_MS, signal }: AppendOptions = {},
): Promise<Job | undefined> {
  const receipt = linkReceipt(streamOf(job), job.head, receiptText(draft, at));
  const state = foldReceipt(stateOf(job), { kind: draft.kind, at: at.toISOString() });
  const ended = isFinal(state.status) ? at : undefined;
  const moved: Job = {
    ...job,
    status: state.status,
    attempt: state.attempt,
    startedAt: draft.kind === 'job.started' ? at : job.startedAt,
    endedAt: ended,
    result: draft.result ?? job.result,
    error: draft.error,
    head: { index: receipt.index, hash: receipt.hash },
    waitingReason: undefined,
  };
  const hasMoved = async (tries: number): Promise<boolean> =>
    (await runBatched(on, moveMany, { job: moved, receipt })) ||
    (tries > 1 && (await findStored(on, [receipt])).size === 1);
  return (await retryFault(hasMoved, { patienceMs, signal })) ? moved : undefined;
}

export interface Begin {
  readonly id: string;
  readonly at: Date;
  readonly text: string;
}

const BEGIN = `select ${jobColumns('j')} from :schema.job_begin($1, $2) j`;

/** The text of the receipt that begins a run. */
export function startedText(actor: string, at: Date): string {
  return receiptText({ kind: 'job.started', actor, body: { attempt: 1 } }, at);
}

/**
 * Verifies the chain, appends job.started and moves the row, in one statement. Undefined for a run that has begun before
 * or whose chain does not verify: the caller then reads the run and its chain.
 */
export function beginJob(on: Queryable, begin: Begin): Promise<Job | undefined> {
  return runBatched(on, beginMany, begin);
}

async function beginMany(on: Queryable, begins: readonly Begin[]): Promise<(Job | undefined)[]> {
  const { rows } = await on.query<JobRow>(BEGIN, [
    JSON.stringify(begins.map(({ id, at, text }) => ({ id, at, body: text }))),
    LOOK_AGAIN_SECONDS,
  ]);
  const begun = new Map(rows.map((row) => [row.id, row]));
  return begins.map(({ id }) => {
    const row = begun.get(id);
    // Of two calls for the same run in one batch, only one has begun it.
    begun.delete(id);
    return row && toJob(row);
  });
}

export interface HoldOptions {
  /** When it is checked again; without it, only after someone has fixed the cause. */
  readonly againSeconds?: number;
  /** What exactly is wrong, where the reason alone does not say. */
  readonly error?: string;
}

const HOLD = `
update :schema.job set waiting_reason = $2, look_at = now() + make_interval(secs => $3), error = $4, changed_by = pg_current_xact_id()
where id = $1 and status in ('queued', 'running')`;

export async function holdJob(
  on: Queryable,
  id: string,
  reason: WaitingReason,
  { againSeconds, error }: HoldOptions = {},
): Promise<void> {
  await on.query(HOLD, [id, reason, againSeconds ?? null, error ?? null]);
}
