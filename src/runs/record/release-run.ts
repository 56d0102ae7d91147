// A worker that gives a run back through no fault of the run records that on its chain, and the next worker resumes at the
// same attempt. Both are job.progress receipts: a release that only the broker knew of would be lost with the broker, and
// workers of an older version would not know a new kind.
import { presentReceipt } from '../../receipts/present-receipt.ts';
import type { LinkedReceipt } from '../../receipts/receipt.ts';
import type { RunReceiptDraft } from './move-run.ts';
import type { Run } from './run.ts';

/** Why an attempt ended without counting. */
const RELEASE_REASONS = ['worker_stopping', 'sandbox_stopping', 'program_replaced'] as const;
export type ReleaseReason = (typeof RELEASE_REASONS)[number];

const RELEASED = 'released';
const RESUMED = 'resumed';

export function releasedReceipt(
  { attempt }: Pick<Run, 'attempt'>,
  actor: string,
  reason: ReleaseReason,
): RunReceiptDraft {
  return { kind: 'job.progress', actor, body: { attempt, progress: { type: RELEASED, reason } } };
}

export function resumedReceipt({ attempt }: Pick<Run, 'attempt'>, actor: string): RunReceiptDraft {
  return { kind: 'job.progress', actor, body: { attempt, progress: { type: RESUMED } } };
}

/** Whether the last receipt says that a worker gave the run back. */
export function wasReleased(receipts: readonly LinkedReceipt[]): boolean {
  const last = receipts.at(-1);
  if (!last) return false;
  const { kind, body } = presentReceipt(last);
  const { progress } = (body ?? {}) as { progress?: { type?: unknown } };
  return kind === 'job.progress' && progress?.type === RELEASED;
}
