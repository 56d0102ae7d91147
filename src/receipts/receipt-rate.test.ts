import { expect, it } from 'vitest';
import { createReceiptRate } from './receipt-rate.ts';

it('is unknown until there are two readings', () => {
  const rate = createReceiptRate();
  expect(rate.perMinute()).toBeUndefined();
  rate.add(500, true, 0);
  expect(rate.perMinute()).toBeUndefined();
  rate.add(501, true, 2_000);
  expect(rate.perMinute()).toBe(30);
});

it('covers the last minute of readings', () => {
  const rate = createReceiptRate();
  for (const [counter, atMs] of [
    [0, 0],
    [1_000, 30_000],
    [1_060, 90_000],
  ] as const)
    rate.add(counter, true, atMs);
  expect(rate.perMinute()).toBe(60);
  expect(rate.history()).toEqual([2_000, 60]);
});

it('uses the growth since the last reading when readings are far apart', () => {
  const rate = createReceiptRate();
  rate.add(0, true, 0);
  rate.add(600, true, 600_000);
  expect(rate.perMinute()).toBe(60);
});

it('starts again when the counter does, or when counting turns into estimating', () => {
  const rate = createReceiptRate();
  rate.add(100, true, 0);
  rate.add(5, true, 10_000);
  expect(rate.perMinute()).toBeUndefined();
  rate.add(900, false, 20_000);
  expect(rate.perMinute()).toBeUndefined();
  expect(rate.history()).toEqual([]);
});

it('keeps a bounded history and counts readings in quick succession as one', () => {
  const rate = createReceiptRate();
  for (let at = 0; at < 500; at++) rate.add(at, true, at * 2_000);
  expect(rate.history()).toHaveLength(60);
  rate.add(10_000, true, 499 * 2_000 + 10);
  expect(rate.perMinute()).toBe(30);
});
