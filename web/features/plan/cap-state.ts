// How much of a cap is used, and whether that calls for a warning: from 80 per cent on, and when it is reached.
import { spendStrings } from './spend-strings.ts';

/** The same as CAP_WARNING_SHARE in src/contract/spend.ts; the schemas stay on the server. */
export const WARNING_SHARE = 0.8;

export interface CapState {
  /** From 0 to 1. */
  readonly share: number;
  readonly level: 'open' | 'near' | 'reached';
  readonly color: 'pine' | 'yellow' | 'red';
  readonly badge: string | undefined;
}

export function stateOf(limit: number, remaining: number): CapState {
  const share = limit === 0 ? 1 : Math.min(1, Math.max(0, 1 - remaining / limit));
  if (share >= 1) return { share, level: 'reached', color: 'red', badge: spendStrings.caps.reached };
  if (share >= WARNING_SHARE) return { share, level: 'near', color: 'yellow', badge: spendStrings.caps.near };
  return { share, level: 'open', color: 'pine', badge: undefined };
}
