import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { every } from './every.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const quiet = { warn: () => {}, error: () => {} };

it('pauses after each run, so that none overlaps another', async () => {
  let underWay = 0;
  let runs = 0;
  const work = every({
    everyMs: 100,
    task: 'test',
    log: quiet,
    run: async () => {
      expect(++underWay).toBe(1);
      runs++;
      await new Promise((resolve) => setTimeout(resolve, 250));
      underWay--;
    },
  });
  await vi.advanceTimersByTimeAsync(99);
  expect(runs).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(349);
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs).toBe(2);
  const stopping = work.stop();
  await vi.advanceTimersByTimeAsync(250);
  await stopping;
});

it('spreads its pauses', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const at: number[] = [];
  const start = Date.now();
  const work = every({
    everyMs: 100,
    jitter: 0.2,
    task: 'test',
    log: quiet,
    run: () => void at.push(Date.now() - start),
  });
  await vi.advanceTimersByTimeAsync(230);
  expect(at).toEqual([110, 220]);
  await work.stop();
});

it('logs a failed run with its task and goes on', async () => {
  const warned: unknown[] = [];
  let runs = 0;
  const work = every({
    everyMs: 10,
    task: 'sweeping',
    log: { ...quiet, warn: (...line) => void warned.push(line) },
    run: async () => {
      if (++runs === 1) throw new Error('no');
    },
  });
  await vi.advanceTimersByTimeAsync(20);
  expect(runs).toBe(2);
  expect(warned).toEqual([[{ err: new Error('no'), task: 'sweeping' }, 'periodic task failed; it runs again later']]);
  await work.stop();
});

it('stops after the run under way, which gets the signal, and does not log its failure', async () => {
  const warned: unknown[] = [];
  let told: AbortSignal | undefined;
  let runs = 0;
  const work = every({
    everyMs: 10,
    task: 'test',
    log: { ...quiet, warn: (...line) => void warned.push(line) },
    run: async (stopping) => {
      told = stopping;
      runs++;
      await new Promise((_, reject) => setTimeout(() => reject(new Error('cut')), 50));
    },
  });
  await vi.advanceTimersByTimeAsync(20);
  let stopped = false;
  const stopping = work.stop().then(() => void (stopped = true));
  await vi.advanceTimersByTimeAsync(10);
  expect([told?.aborted, stopped]).toEqual([true, false]);
  await vi.advanceTimersByTimeAsync(500);
  await stopping;
  expect([runs, warned]).toEqual([1, []]);
});

it('runs on demand, one after the other, and not after its stop', async () => {
  let underWay = 0;
  let runs = 0;
  const work = every({
    everyMs: 1_000,
    task: 'test',
    log: quiet,
    run: async () => {
      expect(++underWay).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 10));
      underWay--;
      runs++;
    },
  });
  const asked = [work.run(), work.run()];
  await vi.advanceTimersByTimeAsync(20);
  await Promise.all(asked);
  expect(runs).toBe(2);
  await vi.advanceTimersByTimeAsync(1_009);
  expect(runs).toBe(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs).toBe(3);
  await work.stop();
  await work.run();
  expect(runs).toBe(3);
});
