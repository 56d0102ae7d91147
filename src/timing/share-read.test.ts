import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { shareRead } from './share-read.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('lets concurrent callers share one read', async () => {
  let reads = 0;
  const read = shareRead(() => Promise.resolve(++reads), 1_000);
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
  expect(await read()).toBe(1);
  vi.advanceTimersByTime(1_001);
  expect(await read()).toBe(2);
});

it('keeps a slow result for twenty times as long as it took', async () => {
  let reads = 0;
  const read = shareRead(async () => {
    vi.advanceTimersByTime(200);
    return ++reads;
  }, 1_000);
  await read();
  vi.advanceTimersByTime(3_900);
  expect(await read()).toBe(1);
  vi.advanceTimersByTime(200);
  expect(await read()).toBe(2);
});

it('does not keep a failure', async () => {
  let reads = 0;
  const read = shareRead(async () => {
    if (++reads === 1) throw new Error('down');
    return reads;
  }, 1_000);
  await expect(read()).rejects.toThrow('down');
  expect(await read()).toBe(2);
});
