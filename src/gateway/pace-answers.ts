// Responses that cost the client nothing (refusals, health) are sent at a bounded rate per network, so that a flood of
// them takes little of the machine: beyond a burst each one waits for its turn. A refusal of a large body counts as
// several, by what was received of it in vain. Proxied requests are not delayed.
import { callerNetwork } from '../net/caller-network.ts';
import { createBoundedMap } from '../timing/bounded-cache.ts';

export interface PaceRow {
  readonly perSecond: number;
  /** Responses to one network that are sent at once. */
  readonly burst: number;
  /** A response that would have to wait longer is not sent: its connection is closed after this time. */
  readonly mostWaitMs: number;
  readonly mostNetworks: number;
}

export const PACE: PaceRow = { perSecond: 250, burst: 1_000, mostWaitMs: 5_000, mostNetworks: 10_000 };

/** How long a response waits, in milliseconds; undefined if too many for this network are already waiting. */
export type Pacer = (address: string, nowMs: number, weight?: number) => number | undefined;

export function createPacer({ perSecond, burst, mostWaitMs, mostNetworks }: PaceRow = PACE): Pacer {
  const intervalMs = 1_000 / perSecond;
  /** When the network's responses so far are paid for; the network that was quiet longest comes first. */
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

const BYTES_PER_UNIT = 64 * 1024;
const MOST_WEIGHT = 100;

/** How many responses it counts as that so many bytes were received in vain. */
export function weightOf(bytes: number): number {
  return Math.min(MOST_WEIGHT, Math.floor(bytes / BYTES_PER_UNIT));
}
