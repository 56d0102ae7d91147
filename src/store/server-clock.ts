// The time by the clock of the database, as this process knows it, so that what processes of several machines write is in
// one order. Each heartbeat compares the clocks. A difference that the round trip explains is none; while there is none,
// the machine's own clock counts.
export interface ServerClock {
  now(): Date;
  /** How far the machine's clock is ahead, as measured last; 0 when it agrees. */
  aheadMs(): number;
  /** Takes a time that the server gave between two moments of the machine. */
  compare(before: number, there: number, after: number): void;
}

/** A slower answer says little about the clock. */
const SLOWEST_MS = 2_000;
/** Differences below this are left alone: receipts would jump with each measurement. */
const LEAST_MS = 500;

export function createServerClock(): ServerClock {
  let aheadMs = 0;
  return {
    now: () => new Date(Date.now() - aheadMs),
    aheadMs: () => aheadMs,
    compare(before, there, after) {
      const took = after - before;
      // A machine whose clock was set meanwhile is compared again.
      if (took < 0 || took > SLOWEST_MS) return;
      const ahead = Math.round((before + after) / 2 - there);
      aheadMs = Math.abs(ahead) < LEAST_MS + took / 2 ? 0 : ahead;
    },
  };
}

/** By the clock of the server that is written to; by the machine's where that is not known. */
export function serverTime(on: { readonly clock?: ServerClock }): Date {
  return on.clock?.now() ?? new Date();
}
