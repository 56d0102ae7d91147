// A worker that gives a run back through no fault of the run says so on its chain, and whoever takes it up next goes on
// at the same attempt. Both are job.progress receipts: a release that was told to the broker only would be lost with it,
// and a kind of their own would be unknown to a worker of the version before.
import { presentReceipt } from '../../receipts/present-receipt.ts';
import type { LinkedReceipt } from '../../receipts/receipt.ts';
import type { JobReceiptDraft } from './move-job.ts';
import type { Job } from './job.ts';

/** Why an attempt was broken off without counting. */
export const RELEASE_REASONS = ['worker_stopping', 'sandbox_stopping', 'program_replaced'] as const;
export type ReleaseReason = (typeof RELEASE_REASONS)[number];

const RELEASED = 'released';
const RESUMED = 'resumed';

export function releasedReceipt(
  { attempt }: Pick<Job, 'attempt'>,
  actor: string,
  reason: ReleaseReason,
): JobReceiptDraft {
  return { kind: 'job.progress', actor, body: { attempt, progress: { type: RELEASED, reason } } };
}

export function resumedReceipt({ attempt }: Pick<Job, 'attempt'>, actor: string): JobReceiptDraft {
  return { kind: 'job.progress', actor, body: { attempt, progress: { type: RESUMED } } };
}

/** Whether the last thing that happened to a run is that its worker gave it back. */
export function wasReleased(receipts: readonly LinkedReceipt[]): boolean {
  const last = receipts.at(-1);
  if (!last) return false;
  const { kind, body } = presentReceipt(last);
  const { progress } = (body ?? {}) as { progress?: { type?: unknown } };
  return kind === 'job.progress' && progress?.type === RELEASED;
}
