// Answers that cost their sender nothing (refusals, health) leave at a bounded rate for each network, so that a flood of
// them takes little of the machine: beyond a burst each answer waits for its turn. A refusal of a large body counts as
// many, because the body was sent for nothing. Whoever is served is not delayed.
import { callerNetwork } from '../base/caller-network.ts';
import { createBoundedMap } from '../timing/bounded-cache.ts';

export interface PaceRow {
  readonly perSecond: number;
  /** Answers of one network that leave at once. */
  readonly burst: number;
  /** An answer that would have to wait longer is not given: after this time its connection is closed. */
  readonly mostWaitMs: number;
  readonly mostNetworks: number;
}

export const PACE: PaceRow = { perSecond: 250, burst: 1_000, mostWaitMs: 5_000, mostNetworks: 10_000 };

/** How long an answer waits, in milliseconds; undefined when too many of the network's answers wait already. */
export type Pacer = (address: string, nowMs: number, weight?: number) => number | undefined;

export function createPacer({ perSecond, burst, mostWaitMs, mostNetworks }: PaceRow = PACE): Pacer {
  const intervalMs = 1_000 / perSecond;
  /** When the network's answers so far are paid for; the one that was quiet longest comes first. */
  const paidAt = createBoundedMap<string, number>(mostNetworks);
  return (address, nowMs, weight = 1) => {
    const network = callerNetwork(address);
    const paid = Math.max(paidAt.get(network) ?? 0, nowMs) + intervalMs * weight;
    const waitMs = Math.max(0, paid - nowMs - burst * intervalMs);
    if (waitMs > mostWaitMs) return undefined;
    paidAt.set(network, paid);
    return waitMs;
  };
}

export function isPaced(status: number, path: string): boolean {
  return (status >= 400 && status < 500) || path === '/healthz';
}

const BYTES_A_WEIGHT = 64 * 1024;
const MOST_WEIGHT = 100;

/** As how many answers a refusal counts, by the body that was sent for nothing; one of unknown length that is still being sent counts as a large one. */
export function weightOf(
  { hasBody, contentLength }: { readonly hasBody: boolean; readonly contentLength: string | undefined },
  isComplete: boolean,
): number {
  if (!hasBody) return 1;
  if (contentLength === undefined) return isComplete ? 1 : MOST_WEIGHT;
  return Math.min(MOST_WEIGHT, 1 + Math.floor(Number(contentLength) / BYTES_A_WEIGHT));
}
