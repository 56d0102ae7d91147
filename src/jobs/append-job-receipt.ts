// One statement moves a job: the row goes from the head that the caller saw to the new one, and the receipt is
// inserted if it did. Whoever saw an older head changes nothing. A lost answer is asked for again with the very same
// receipt, which is then found as it is or stored now, never twice.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../base/canonical-json.ts';
import { findStored } from '../receipts/append-receipts.ts';
import { linkReceipt, receiptText } from '../receipts/receipt.ts';
import type { Queryable } from '../store/database.ts';
import { isConnectionFault } from './connection-fault.ts';
import { foldReceipt } from './fold-job.ts';
import { type Job, stateOf, streamOf } from './job.ts';
import { isFinal, type JobReceiptKind } from './job-states.ts';

export interface JobReceiptDraft {
  readonly kind: Exclude<JobReceiptKind, 'job.queued'>;
  readonly actor: string;
  readonly body: Json;
  /** For the row only: receipts hold hashes and short facts. */
  readonly result?: Json | undefined;
  readonly error?: string | undefined;
}

export interface AppendOptions {
  readonly at?: Date;
  /** For how long a database that cannot be reached is asked again. */
  readonly patienceMs?: number;
}

const MOVE = `
with moved as (
  update :schema.job j
  set status = $6, attempt = $7, started_at = $8, ended_at = $9, result = $10, error = $11, head_idx = $2, head_hash = $4,
      waiting_reason = null, look_at = case when $9::timestamptz is null then now() + make_interval(secs => $12) end, changed_by = pg_current_xact_id()
  where j.id = $13 and j.head_idx = $2 - 1 and j.head_hash = $3
    and exists (select from :schema.receipt r where r.stream = $1 and r.idx = $2 - 1 and r.hash = $3)
  returning j.id
), appended as (
  insert into :schema.receipt (stream, idx, prev, hash, body) select $1, $2::bigint, $3, $4, $5 from moved
)
select id from moved`;

const LOOK_AGAIN_SECONDS = 20;
const PATIENCE_MS = 2_000;

/** The job as it is now, or undefined when its head is no longer the one that the caller saw. */
export async function appendJobReceipt(on: Queryable, job: Job, draft: JobReceiptDraft, { at = new Date(), patienceMs = PATIENCE_MS }: AppendOptions = {}): Promise<Job | undefined> {
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
    error: draft.error ?? job.error,
    head: { index: receipt.index, hash: receipt.hash },
    waitingReason: undefined,
  };
  const values = [
    receipt.stream, receipt.index, receipt.prev, receipt.hash, receipt.text,
    moved.status, moved.attempt, moved.startedAt ?? null, ended ?? null,
    moved.result === undefined ? null : JSON.stringify(moved.result), moved.error ?? null, LOOK_AGAIN_SECONDS, job.id,
  ];
  const deadline = performance.now() + patienceMs;
  for (let tries = 1; ; tries++) {
    try {
      const { rows } = await on.query<{ id: string }>(MOVE, values);
      if (rows.length === 1 || (tries > 1 && (await findStored(on, [receipt])).size === 1)) return moved;
      return undefined;
    } catch (error) {
      if (!isConnectionFault(error) || performance.now() > deadline) throw error;
      await sleep(Math.min(100 * tries, 1_000));
    }
  }
}
