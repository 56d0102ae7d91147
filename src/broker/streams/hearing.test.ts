import { beforeEach, expect, it } from 'vitest';
import { createHearing, type Hearing } from './hearing.ts';

const BOUND_MS = 15_000;
let now: number;
let storeNow: number;
let hearing: Hearing;

function pass(ms: number, storeMs = ms): void {
  for (const part of [0.25, 0.25, 0.25, 0.25]) {
    now += ms * part;
    storeNow += storeMs * part;
    hearing.answered(storeNow);
  }
}

beforeEach(() => {
  now = 500;
  storeNow = 1_800_000_000_000;
  hearing = createHearing(BOUND_MS, () => now);
  hearing.answered(storeNow);
  pass(BOUND_MS);
});

it('silence counts once everybody could be heard for the whole bound', () => {
  expect(hearing.isReliable).toBe(true);
  const young = createHearing(BOUND_MS, () => now);
  young.answered(storeNow);
  expect(young.isReliable).toBe(false);
});

it.each([
  ['the database was away', () => hearing.failed()],
  ['this process stood still', () => void ((now += 20_000), (storeNow += 20_000))],
  ['the machine was suspended, or the clock of the database jumped ahead', () => void (storeNow += 3_600_000)],
  ['the clock of the database was set back', () => void (storeNow -= 3_600_000)],
])('everybody gets the full time again after %s', (_, happen) => {
  happen();
  hearing.answered(storeNow);
  expect(hearing.isReliable).toBe(false);
  pass(BOUND_MS - 1);
  expect(hearing.isReliable).toBe(false);
  pass(1);
  expect(hearing.isReliable).toBe(true);
});

it('clocks that drift a little are no jump', () => {
  pass(4_000, 4_400);
  expect(hearing.isReliable).toBe(true);
});
