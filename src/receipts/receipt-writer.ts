// Appends for many callers at once. While a statement is under way the callers that arrive wait together, and the
// next statement takes them all: one hot stream costs one round trip for dozens of receipts instead of a lost
// race for each. Heads are remembered (bounded), so an append is one round trip once a stream is known.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../base/errors.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../store/database.ts';
import { createLanes } from '../timing/lanes.ts';
import { retryFault } from '../timing/retry-fault.ts';
import { appendReceipts, findHeads, findStored } from './append-receipts.ts';
import { type Head, type LinkedReceipt, linkReceipts, type ReceiptDraft, receiptText } from './receipt.ts';

export interface ReceiptWriter {
  /** Resolves once the receipt is committed. */
  append(stream: string, draft: ReceiptDraft): Promise<LinkedReceipt>;
  /** Waits for what is under way. */
  drain(): Promise<void>;
}

export interface ReceiptWriterOptions {
  readonly db: Database;
  readonly clock: Clock;
  /** Told after each commit, off the callers' path. */
  readonly onAppended?: (receipts: readonly LinkedReceipt[]) => void;
}

interface Waiting {
  readonly stream: string;
  readonly text: string;
  resolve(receipt: LinkedReceipt): void;
  reject(error: unknown): void;
}

// Statements under way at once: more of them would only make each batch smaller.
const LANES = 2;
const BATCH_MAX = 500;
const HEADS_MAX = 10_000;
const TRIES = 30;
/** Callers wait meanwhile: long enough for a database that restarts. */
const PATIENCE_MS = 10_000;

export function createReceiptWriter({ db, clock, onAppended }: ReceiptWriterOptions): ReceiptWriter {
  const heads = new Map<string, Head>();
  const lanes = createLanes<Waiting, 'all'>({
    kinds: ['all'],
    lanes: LANES,
    most: BATCH_MAX,
    // Receipts of one stream follow each other: within one statement, never in two at once.
    keys: { of: ({ stream }) => stream, mayShareBatch: true },
    // Callers of the same tick share a statement; a lone caller does not wait for a turn of the event loop.
    schedule: queueMicrotask,
    run: (batch) => write(byStream(batch)),
  });

  /** Tries until every stream of the batch is appended to; each try re-links only those that lost their race. */
  async function write(open: Map<string, Waiting[]>): Promise<void> {
    for (let tries = 1; open.size > 0; tries++) {
      try {
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
        if (open.size > 0 && tries >= TRIES) throw new AppError('conflict', { streams: [...open.keys()] });
        if (open.size > 0) await sleep(Math.random() * 2 * tries);
      } catch (error) {
        for (const [stream, waiters] of open) {
          heads.delete(stream);
          for (const waiter of waiters) waiter.reject(error);
        }
        return;
      }
    }
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
    heads.delete(stream);
    if (last) heads.set(stream, { index: last.index, hash: last.hash });
    if (heads.size > HEADS_MAX) for (const oldest of heads.keys()) if (heads.delete(oldest)) break;
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
 * A connection that breaks may have committed. The very same receipts are sent again: were they stored the first
 * time they are found as they are, and were they not they are stored now, never twice.
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
