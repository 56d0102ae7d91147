import type { Listener } from '../store/listen.ts';
import type { Queryable } from '../store/database.ts';
import { APPENDED_TOPIC } from './announce-appends.ts';
import { readStream } from './read-stream.ts';
import type { LinkedReceipt } from './receipt.ts';

export interface TailOptions {
  readonly db: Queryable;
  readonly listener: Listener;
  readonly stream: string;
  readonly from: number;
  readonly signal: AbortSignal;
  /** Reads again after this long even without an announcement: one can be lost. */
  readonly lookEveryMs: number;
  /** Checked after receipts were read and before any is yielded; the tail ends when the reader has lost access. */
  readonly mayTell?: (() => Promise<boolean>) | undefined;
}

const PAGE = 200;

/** Receipts from an index on, then each new one as it is appended, until the signal; `undefined` after a quiet period. */
export async function* tailStream({
  db,
  listener,
  stream,
  from,
  signal,
  lookEveryMs,
  mayTell,
}: TailOptions): AsyncGenerator<LinkedReceipt | undefined> {
  let grown = false;
  let wake = (): void => {};
  const unsubscribe = listener.subscribe(
    APPENDED_TOPIC,
    () => {
      grown = true;
      wake();
    },
    stream,
  );
  signal.addEventListener('abort', () => wake(), { once: true });
  try {
    for (let next = from; !signal.aborted;) {
      grown = false;
      const receipts = await readStream(db, stream, next, PAGE);
      if (receipts.length > 0 && mayTell && !(await mayTell())) return;
      for (const receipt of receipts) {
        yield receipt;
        next = receipt.index + 1;
      }
      if (receipts.length === PAGE || grown) continue;
      if (await quietFor(lookEveryMs)) yield undefined;
    }
  } finally {
    unsubscribe();
  }

  function quietFor(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(true), ms);
      wake = () => {
        clearTimeout(timer);
        resolve(false);
      };
      if (grown || signal.aborted) wake();
    });
  }
}
