// Batches the appends of many callers. While a statement is under way, new callers wait, and the next statement takes them
// all: a hot stream costs one round trip for dozens of receipts instead of a lost race for each. Heads are cached, with a
// bound, so an append to a known stream is one round trip.
import { AppError } from '../base/errors.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../store/database.ts';
import { createBoundedMap } from '../timing/bounded-cache.ts';
import { createLanes } from '../timing/lanes.ts';
import { retryFault } from '../timing/retry-fault.ts';
import { RETRIES } from '../timing/retry-policies.ts';
import { retry } from '../timing/retry.ts';
import { appendReceipts, findHeads, findStored } from './append-receipts.ts';
import { type Head, type LinkedReceipt, linkReceipts, type ReceiptDraft, receiptText } from './receipt.ts';

export interface ReceiptWriter {
  /** Resolves once the receipt is committed. */
  append(stream: string, draft: ReceiptDraft): Promise<LinkedReceipt>;
  /** Waits for the appends under way. */
  drain(): Promise<void>;
}

export interface ReceiptWriterOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** Called after each commit, off the callers' path. */
  readonly onAppended?: (receipts: readonly LinkedReceipt[]) => void;
}

interface Waiting {
  readonly stream: string;
  readonly text: string;
  resolve(receipt: LinkedReceipt): void;
  reject(error: unknown): void;
}

// Concurrent statements: more of them would only make each batch smaller.
const LANES = 2;
const BATCH_MAX = 500;
const HEADS_MAX = 10_000;
/** How long callers wait: long enough for a database restart. */
const PATIENCE_MS = 10_000;

export function createReceiptWriter({ db, clock, onAppended }: ReceiptWriterOptions): ReceiptWriter {
  const heads = createBoundedMap<string, Head>(HEADS_MAX);
  const lanes = createLanes<Waiting, 'all'>({
    kinds: ['all'],
    lanes: LANES,
    most: BATCH_MAX,
    // Receipts of one stream are in order: several within one statement, never in two at once.
    keys: { of: ({ stream }) => stream, mayShareBatch: true },
    // Callers of the same tick share a statement; a lone caller does not wait for a turn of the event loop.
    schedule: queueMicrotask,
    run: (batch) => write(byStream(batch)),
  });

  async function write(open: Map<string, Waiting[]>): Promise<void> {
    try {
      await retry(RETRIES.receiptHead, () => writeOnce(open));
    } catch (error) {
      for (const [stream, waiters] of open) {
        heads.delete(stream);
        for (const waiter of waiters) waiter.reject(error);
      }
    }
  }

  /** Settles the streams that it appends to; those that lose their race stay open. */
  async function writeOnce(open: Map<string, Waiting[]>): Promise<void> {
    await loadHeads([...open.keys()]);
    const linked = new Map(
      [...open].map(([stream, waiters]) => [
        stream,
        linkReceipts(
          stream,
          heads.get(stream),
          waiters.map((w) => w.text),
        ),
      ]),
    );
    const appended = await appendSurely(db, [...linked.values()].flat());
    for (const [stream, receipts] of linked) {
      if (!appended.has(stream)) heads.delete(stream);
      else settle(stream, receipts, open);
    }
    if (open.size > 0) throw new AppError('conflict', { streams: [...open.keys()] });
  }

  async function loadHeads(streams: string[]): Promise<void> {
    const unknown = streams.filter((stream) => !heads.has(stream));
    if (unknown.length === 0) return;
    const found = await retryFault(() => findHeads(db, unknown), { patienceMs: PATIENCE_MS });
    for (const [stream, head] of found) heads.set(stream, head);
  }

  function settle(stream: string, receipts: LinkedReceipt[], open: Map<string, Waiting[]>): void {
    const waiters = open.get(stream) ?? [];
    open.delete(stream);
    const last = receipts.at(-1);
    if (last) heads.set(stream, { index: last.index, hash: last.hash });
    receipts.forEach((receipt, position) => waiters[position]?.resolve(receipt));
    onAppended?.(receipts);
  }

  return {
    append(stream, draft) {
      return new Promise((resolve, reject) => {
        lanes.add({ stream, text: receiptText(draft, clock()), resolve, reject });
      });
    },
    drain: () => lanes.drain(),
  };
}

function byStream(batch: readonly Waiting[]): Map<string, Waiting[]> {
  const streams = new Map<string, Waiting[]>();
  for (const waiting of batch) {
    const queue = streams.get(waiting.stream);
    if (queue) queue.push(waiting);
    else streams.set(waiting.stream, [waiting]);
  }
  return streams;
}

/**
 * A statement may have been committed although its connection broke. The same receipts are sent again: if they were
 * stored the first time they are found, otherwise they are stored now, never twice.
 */
function appendSurely(db: Database, receipts: readonly LinkedReceipt[]): Promise<Set<string>> {
  return retryFault(
    async (tries) => {
      const appended = await appendReceipts(db, receipts);
      if (tries > 1) for (const stream of await findStored(db, receipts)) appended.add(stream);
      return appended;
    },
    { patienceMs: PATIENCE_MS },
  );
}
