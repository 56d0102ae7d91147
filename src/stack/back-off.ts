const FIRST_MS = 200;
const LONGEST_MS = 10_000;
/** A part that was healthy for this long starts over with the shortest pause. */
export const FORGIVEN_AFTER_MS = 30_000;

/** The pause before a part is started again, doubling with each failure in a row. */
export function backOffMs(failuresInARow: number): number {
  return Math.min(FIRST_MS * 2 ** Math.max(0, failuresInARow - 1), LONGEST_MS);
}
