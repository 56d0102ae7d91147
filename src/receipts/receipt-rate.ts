// Appends per minute, from readings of a counter over the last minute. When the counter restarts, because the server's
// statistics did or counting turned into estimating, the history restarts with it.

export interface ReceiptRate {
  /** Adds a reading; readings less than a second apart count as one. */
  add(counter: number, exact: boolean, atMs: number): void;
  /** Undefined until there are two readings. */
  perMinute(): number | undefined;
  /** Appends per minute between neighbouring readings, oldest first. */
  history(): number[];
}

interface Reading {
  readonly counter: number;
  readonly exact: boolean;
  readonly atMs: number;
}

const MINUTE_MS = 60_000;
const READINGS_MAX = 61;

export function createReceiptRate(): ReceiptRate {
  let readings: Reading[] = [];
  return {
    add(counter, exact, atMs) {
      const last = readings.at(-1);
      if (last && (counter < last.counter || exact !== last.exact)) readings = [];
      else if (last && atMs - last.atMs < 1_000) return;
      readings.push({ counter, exact, atMs });
      if (readings.length > READINGS_MAX) readings.shift();
    },
    perMinute() {
      const last = readings.at(-1);
      const before = readings.slice(0, -1);
      // Without a reading within the last minute, the growth since the last one is used.
      const first = last && (before.find((reading) => last.atMs - reading.atMs <= MINUTE_MS) ?? before.at(-1));
      return first && last && growth(first, last);
    },
    history: () => readings.slice(1).map((reading, before) => growth(readings[before] ?? reading, reading)),
  };
}

function growth(from: Reading, to: Reading): number {
  const elapsedMs = to.atMs - from.atMs;
  return elapsedMs > 0 ? Math.round(((to.counter - from.counter) / elapsedMs) * MINUTE_MS) : 0;
}
