// How the row of a run changes once it exists. appendRunReceipt moves it from the head that the caller saw to the next
// one and stores the receipt in the same statement; a caller that saw an older head changes nothing. beginRun is the fast
// path for a run that has not begun. holdRun leaves a run where it is and shows why. Concurrent calls share a statement.
import type { Json } from '../../base/canonical-json.ts';
import { findStored } from '../../receipts/append-receipts.ts';
import { type LinkedReceipt, linkReceipt, receiptText } from '../../receipts/receipt.ts';
import type { Queryable } from '../../store/database.ts';
import { serverTime } from '../../store/server-clock.ts';
import { runBatched } from '../../store/statement-batches.ts';
import { retryFault, type FaultOptions } from '../../timing/retry-fault.ts';
import { hex, type Run, runColumns, type RunRow, stateOf, streamOf, toRun } from './run.ts';
import { foldReceipt, isFinal, type RunReceiptKind } from './run-states.ts';
import type { WaitingReason } from './waiting-reasons.ts';

export interface RunReceiptDraft {
  readonly kind: Exclude<RunReceiptKind, 'job.queued'>;
  readonly actor: string;
  readonly body: Json;
  /** For the row only: receipts hold hashes and short facts. */
  readonly result?: Json | undefined;
  readonly error?: string | undefined;
  /** The number of the last message that the run has read. */
  readonly seen?: number | undefined;
}

export interface AppendOptions extends Partial<FaultOptions> {
  readonly at?: Date;
}

const PATIENCE_MS = 2_000;
/** When a run that has moved and is not over is checked again. */
const LOOK_AGAIN_SECONDS = 20;

interface Move {
  readonly run: Run;
  readonly receipt: LinkedReceipt;
  readonly seen: number | undefined;
}

/** Returns whether each run was moved. */
async function moveMany(on: Queryable, moves: readonly Move[]): Promise<boolean[]> {
  const rows = moves.map(({ run, receipt, seen }) => ({
    id: run.id,
    stream: receipt.stream,
    idx: receipt.index,
    prev: hex(receipt.prev),
    hash: hex(receipt.hash),
    body: receipt.text,
    status: run.status,
    attempt: run.attempt,
    started_at: run.startedAt,
    ended_at: run.endedAt,
    result: run.result,
    error: run.error,
    seen,
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
 * The run as it is now, or undefined when its head is no longer the one that the caller saw, or when it would complete
 * with messages that it has not read: then listUnread has them, and the head is where it was. When the database's answer
 * is lost, the same receipt is sent again: it is either found or stored then, never twice.
 */
export async function appendRunReceipt(
  on: Queryable,
  run: Run,
  draft: RunReceiptDraft,
  { at = serverTime(on), patienceMs = PATIENCE_MS, signal }: AppendOptions = {},
): Promise<Run | undefined> {
  const receipt = linkReceipt(streamOf(run), run.head, receiptText(draft, at));
  const state = foldReceipt(stateOf(run), { kind: draft.kind, at: at.toISOString() });
  const ended = isFinal(state.status) ? at : undefined;
  const moved: Run = {
    ...run,
    status: state.status,
    attempt: state.attempt,
    startedAt: draft.kind === 'job.started' ? at : run.startedAt,
    endedAt: ended,
    result: draft.result ?? run.result,
    error: draft.error,
    head: { index: receipt.index, hash: receipt.hash },
    waitingReason: undefined,
  };
  const hasMoved = async (tries: number): Promise<boolean> =>
    (await runBatched(on, moveMany, { run: moved, receipt, seen: draft.seen })) ||
    (tries > 1 && (await findStored(on, [receipt])).size === 1);
  return (await retryFault(hasMoved, { patienceMs, signal })) ? moved : undefined;
}

export interface Begin {
  readonly id: string;
  readonly at: Date;
  readonly text: string;
}

const BEGIN = `select ${runColumns('j')} from :schema.job_begin($1, $2) j`;

/** The text of the receipt that begins a run. */
export function startedText(actor: string, at: Date): string {
  return receiptText({ kind: 'job.started', actor, body: { attempt: 1 } }, at);
}

/**
 * Verifies the chain, appends job.started and moves the row, in one statement. Undefined for a run that has begun before
 * or whose chain does not verify: the caller then reads the run and its chain.
 */
export function beginRun(on: Queryable, begin: Begin): Promise<Run | undefined> {
  return runBatched(on, beginMany, begin);
}

async function beginMany(on: Queryable, begins: readonly Begin[]): Promise<(Run | undefined)[]> {
  const { rows } = await on.query<RunRow>(BEGIN, [
    JSON.stringify(begins.map(({ id, at, text }) => ({ id, at, body: text }))),
    LOOK_AGAIN_SECONDS,
  ]);
  const begun = new Map(rows.map((row) => [row.id, row]));
  return begins.map(({ id }) => {
    const row = begun.get(id);
    // Of two calls for the same run in one batch, only one has begun it.
    begun.delete(id);
    return row && toRun(row);
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

export async function holdRun(
  on: Queryable,
  id: string,
  reason: WaitingReason,
  { againSeconds, error }: HoldOptions = {},
): Promise<void> {
  await on.query(HOLD, [id, reason, againSeconds ?? null, error ?? null]);
}
