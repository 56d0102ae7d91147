// Whether silence means anything. A process is lost when it has not been heard of for a while, but only if it could
// have been heard: not while the database was away, not after this process or the whole machine stood still, and not
// when the database's clock has jumped. After any of these, everybody gets the full time again.

export interface Hearing {
  /** The database answered: its time in milliseconds. */
  answered(storeNow: number): void;
  failed(): void;
  /** Whether it has been possible to hear everybody for the whole bound. */
  readonly isReliable: boolean;
}

/** The two clocks run apart by less than this between two looks. */
const DRIFT_MAX_MS = 1_000;

export function createHearing(boundMs: number, now: () => number = () => performance.now()): Hearing {
  let since: number | undefined;
  let last: { readonly at: number; readonly storeNow: number } | undefined;
  return {
    answered(storeNow) {
      const at = now();
      const elapsed = last ? at - last.at : 0;
      const jumped = last !== undefined && Math.abs(storeNow - last.storeNow - elapsed) > DRIFT_MAX_MS;
      if (since === undefined || jumped || elapsed > boundMs / 2) since = at;
      last = { at, storeNow };
    },
    failed() {
      since = undefined;
    },
    get isReliable() {
      return since !== undefined && now() - since >= boundMs;
    },
  };
}
