// Follows what grows elsewhere: waits for a notice that there may be more, and reads what is new since a cursor. A notice
// is a hint, never the data: it may be lost, repeated or early. Reads alone decide what is yielded, in order, without a gap
// or a repeat. Between two reads nothing is held.

export interface FollowPage<Item, Cursor> {
  readonly items: readonly Item[];
  /** Where the next read begins. */
  readonly cursor: Cursor;
  /** Reads on at once, or ends after these items; waits for a notice when absent. */
  readonly next?: 'read' | 'end' | undefined;
}

export interface FollowOptions<Item, Cursor> {
  readonly from: Cursor;
  readonly readSince: (cursor: Cursor) => Promise<FollowPage<Item, Cursor>>;
  /** Calls back when there may be more, and when a notice may have been lost. Returns the function that unsubscribes. */
  readonly subscribe: (notice: () => void) => () => void;
  readonly signal: AbortSignal;
  /** Reads again after this long without a notice: one can be lost. */
  readonly lookEveryMs: number;
  /** How long notices are collected before the read. */
  readonly gatherMs?: number;
  /** Yields `undefined` after this long without an item; by default whenever `lookEveryMs` has passed without a notice. */
  readonly quietMs?: number;
  /** Checked after items were read and before any is yielded; the following ends when the reader has lost access. */
  readonly mayTell?: (() => Promise<boolean>) | undefined;
}

export async function* follow<Item, Cursor>(
  options: FollowOptions<Item, Cursor>,
): AsyncGenerator<Item | undefined, void, undefined> {
  const { readSince, signal, lookEveryMs, gatherMs = 0, quietMs = lookEveryMs, mayTell } = options;
  const bell = createBell();
  const unsubscribe = options.subscribe(bell.ring);
  signal.addEventListener('abort', bell.ring, { once: true });
  let silentMs = 0;
  try {
    for (let { from } = options; !signal.aborted;) {
      const { items, cursor, next } = await readSince(from);
      if (items.length > 0 && mayTell && !(await mayTell())) return;
      for (const item of items) {
        if (signal.aborted) return;
        yield item;
        silentMs = 0;
      }
      from = cursor;
      if (next === 'end') return;
      if (next === 'read') continue;
      if (await bell.wait(lookEveryMs)) {
        if (gatherMs > 0) await new Promise((resolve) => setTimeout(resolve, gatherMs));
      } else if ((silentMs += lookEveryMs) >= quietMs) {
        yield undefined;
        silentMs = 0;
      }
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', bell.ring);
  }
}

interface Bell {
  ring(): void;
  /** True if it rang within the time, or since the last wait. */
  wait(ms: number): Promise<boolean>;
}

function createBell(): Bell {
  let rung = false;
  let wake = (): void => {};
  return {
    ring() {
      rung = true;
      wake();
    },
    async wait(ms) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        if (rung) wake();
      });
      const was = rung;
      rung = false;
      return was;
    },
  };
}
