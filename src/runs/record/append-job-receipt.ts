// One statement moves the jobs of one moment: each row goes from the head that its caller saw to the new one, and the
// receipt is inserted if it did. Whoever saw an older head changes nothing. A lost answer is asked for again with the
// very same receipt, which is then found as it is or stored now, never twice.
import type { Json } from '../../base/canonical-json.ts';
import { findStored } from '../../receipts/append-receipts.ts';
import { type LinkedReceipt, linkReceipt, receiptText } from '../../receipts/receipt.ts';
import type { Queryable } from '../../store/database.ts';
import { retryFault, type RetryOptions } from '../../timing/retry-fault.ts';
import { foldReceipt } from './fold-job.ts';
import { groupOnDatabase } from './group-on-database.ts';
import { hex, type Job, LOOK_AGAIN_SECONDS, stateOf, streamOf } from './job.ts';
import { isFinal, type JobReceiptKind } from './job-states.ts';

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

interface Move {
  readonly job: Job;
  readonly receipt: LinkedReceipt;
}

/** Whether it was moved. */
const move = groupOnDatabase<Move, boolean>(async (on, moves) => {
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
  // Two that say the same in the same moment are still two: one of them moved the job.
  return moves.map(({ receipt }) => stored.delete(receipt.hash.toString('hex')));
});

/** The job as it is now, or undefined when its head is no longer the one that the caller saw. */
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
  const hasMoved = (tries: number): Promise<boolean> =>
    move(on, { job: moved, receipt }).then(
      async (now) => now || (tries > 1 && (await findStored(on, [receipt])).size === 1),
    );
  return (await retryFault(hasMoved, { patienceMs, signal })) ? moved : undefined;
}
