// Appends per minute from readings of a counter: the growth over the last minute of readings. The counter starts
// again when the server's statistics do, or when counting turns into estimating; the history starts again with it.

export interface ReceiptRate {
  /** Takes a reading; readings closer together than a second are one. */
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
      // When nobody looked for longer than a minute, the growth since the last look has to do.
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
