// How many attempts at a run have begun since one of them last finished a step: a run that gets on is never given up for
// the machines that it loses on the way, and one that takes its worker with it each time is.
import type { LinkedReceipt } from '../../receipts/receipt.ts';
import { presentReceipt } from '../../receipts/present-receipt.ts';

export function countFruitless(receipts: readonly LinkedReceipt[]): number {
  let attempts = 0;
  for (const { kind, body } of receipts.map(presentReceipt)) {
    if (kind === 'job.started' || kind === 'job.retried') attempts++;
    const { progress } = (body ?? {}) as { progress?: { type?: unknown; unknown?: unknown } };
    if (progress?.type === 'tool.ended' && progress.unknown !== true) attempts = 0;
  }
  return attempts;
}
