import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { follow, type FollowPage } from './follow.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LOOK_EVERY_MS = 1_000;
const later = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

interface Pace {
  readonly page: number;
  readonly readMs: number;
  readonly takeMs: number;
}

/** A log that grows, its notices, and one who follows it. */
function openLog({ page, readMs, takeMs }: Pace) {
  const written: number[] = [];
  const taken: number[] = [];
  const subscribers = new Set<() => void>();
  const aborting = new AbortController();
  const seen = { signs: 0, reads: 0, ended: false };

  async function readSince(from: number): Promise<FollowPage<number, number>> {
    seen.reads++;
    // What is written while the read is under way is not in it.
    const items = written.slice(from, from + page);
    await later(readMs);
    return { items, cursor: from + items.length, next: items.length === page ? 'read' : undefined };
  }
  async function take(): Promise<void> {
    const subscribe = (notice: () => void): (() => void) => (subscribers.add(notice), () => subscribers.delete(notice));
    const { signal } = aborting;
    for await (const item of follow({ from: 0, readSince, subscribe, signal, lookEveryMs: LOOK_EVERY_MS })) {
      if (item === undefined) seen.signs++;
      else taken.push(item);
      await later(takeMs);
    }
    seen.ended = true;
  }
  const taking = take();
  return {
    written,
    taken,
    seen,
    taking,
    subscribers,
    write: () => void written.push(written.length),
    notify: () => subscribers.forEach((notice) => notice()),
    abort: () => aborting.abort(),
  };
}

const pace = fc.record({
  page: fc.integer({ min: 1, max: 4 }),
  readMs: fc.integer({ min: 0, max: 20 }),
  takeMs: fc.integer({ min: 0, max: 20 }),
});
const step = fc.record({
  act: fc.constantFrom('write', 'write and notify', 'notify', 'wait'),
  ms: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constant(LOOK_EVERY_MS)),
});

it('yields exactly what was written, in order, whatever notices are lost, early or repeated, and a prefix once aborted', async () => {
  await fc.assert(
    fc.asyncProperty(pace, fc.array(step, { maxLength: 30 }), fc.nat(30), async (how, steps, abortAt) => {
      const log = openLog(how);
      for (const [at, { act, ms }] of steps.entries()) {
        if (at === abortAt) log.abort();
        if (act.startsWith('write')) log.write();
        if (act.endsWith('notify')) log.notify();
        await vi.advanceTimersByTimeAsync(ms);
      }
      if (abortAt >= steps.length) {
        await vi.advanceTimersByTimeAsync(2 * LOOK_EVERY_MS + 40 * log.written.length + 40);
        expect(log.taken).toEqual(log.written);
        log.abort();
      }
      // Only a read or a reader that is under way is waited for.
      await vi.advanceTimersByTimeAsync(how.readMs + how.takeMs);
      await log.taking;
      expect(log.taken).toEqual(log.written.slice(0, log.taken.length));
      expect([log.seen.ended, log.subscribers.size, vi.getTimerCount()]).toEqual([true, 0, 0]);
    }),
    { numRuns: 300 },
  );
});

it('reads on a notice without waiting for the interval, and gives a sign after a quiet interval only', async () => {
  const log = openLog({ page: 4, readMs: 10, takeMs: 0 });
  await vi.advanceTimersByTimeAsync(10);
  log.write();
  log.notify();
  await vi.advanceTimersByTimeAsync(11);
  expect([log.taken, log.seen]).toEqual([[0], { signs: 0, reads: 2, ended: false }]);
  await vi.advanceTimersByTimeAsync(3 * LOOK_EVERY_MS + 100);
  expect(log.seen).toEqual({ signs: 3, reads: 5, ended: false });
  log.abort();
  await log.taking;
});

it('reads again for a notice that came during the read', async () => {
  const log = openLog({ page: 4, readMs: 10, takeMs: 0 });
  await vi.advanceTimersByTimeAsync(5);
  log.write();
  log.notify();
  await vi.advanceTimersByTimeAsync(16);
  expect(log.taken).toEqual([0]);
  log.abort();
  await log.taking;
});

it('ends without yielding what was read when the reader has lost access, and after the page that is the last', async () => {
  const options = { from: 0, subscribe: () => () => {}, signal: new AbortController().signal, lookEveryMs: 1 };
  const readSince = async (cursor: number) => ({ items: [cursor], cursor: cursor + 1, next: 'end' as const });
  expect(await follow({ ...options, readSince, mayTell: async () => false }).next()).toMatchObject({ done: true });
  const last = follow({ ...options, readSince });
  expect([await last.next(), await last.next()]).toMatchObject([{ value: 0 }, { done: true }]);
});

it('gives a sign only after the quiet time, and collects notices before it reads', async () => {
  const reads: number[] = [];
  const [aborting, startedAt] = [new AbortController(), Date.now()];
  let notify = (): void => {};
  const following = follow({
    from: 0,
    signal: aborting.signal,
    lookEveryMs: 100,
    quietMs: 300,
    gatherMs: 50,
    subscribe: (notice) => ((notify = notice), () => {}),
    readSince: async (cursor) => (reads.push(Date.now() - startedAt), { items: [], cursor }),
  });
  const first = following.next();
  await vi.advanceTimersByTimeAsync(120);
  notify();
  await vi.advanceTimersByTimeAsync(249);
  expect(reads).toEqual([0, 100, 170, 270]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await first).toEqual({ done: false, value: undefined });
  aborting.abort();
  expect(await following.next()).toEqual({ done: true, value: undefined });
});
