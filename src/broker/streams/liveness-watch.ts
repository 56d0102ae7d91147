// Whether a missing heartbeat means that a process is lost. It does only if the heartbeat could have been seen: not while
// the database was away, not after this process or the whole machine was suspended, and not after the database's clock
// jumped. After any of these, every process gets the full time again.

export interface LivenessWatch {
  /** The database answered: its time in milliseconds. */
  answered(storeNow: number): void;
  failed(): void;
  /** Whether heartbeats could be seen for the whole bound, or for a shorter time. */
  isReliable(forMs?: number): boolean;
}

/** The two clocks drift apart by less than this between two readings. */
const DRIFT_MAX_MS = 1_000;

export function createLivenessWatch(boundMs: number, now: () => number = () => performance.now()): LivenessWatch {
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
    isReliable: (forMs = boundMs) => since !== undefined && now() - since >= forMs,
  };
}
