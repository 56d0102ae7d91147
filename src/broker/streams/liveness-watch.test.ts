import { beforeEach, expect, it } from 'vitest';
import { createLivenessWatch, type LivenessWatch } from './liveness-watch.ts';

const BOUND_MS = 15_000;
let now: number;
let storeNow: number;
let liveness: LivenessWatch;

function pass(ms: number, storeMs = ms): void {
  for (const part of [0.25, 0.25, 0.25, 0.25]) {
    now += ms * part;
    storeNow += storeMs * part;
    liveness.answered(storeNow);
  }
}

beforeEach(() => {
  now = 500;
  storeNow = 1_800_000_000_000;
  liveness = createLivenessWatch(BOUND_MS, () => now);
  liveness.answered(storeNow);
  pass(BOUND_MS);
});

it('a missing heartbeat counts once heartbeats could be seen for the whole bound', () => {
  expect(liveness.isReliable()).toBe(true);
  const young = createLivenessWatch(BOUND_MS, () => now);
  young.answered(storeNow);
  expect([young.isReliable(), young.isReliable(0)]).toEqual([false, true]);
});

it.each([
  ['the database was away', () => liveness.failed()],
  ['this process was suspended', () => void ((now += 20_000), (storeNow += 20_000))],
  ['the machine was suspended, or the clock of the database jumped ahead', () => void (storeNow += 3_600_000)],
  ['the clock of the database was set back', () => void (storeNow -= 3_600_000)],
])('every process gets the full time again after %s', (_, happen) => {
  happen();
  liveness.answered(storeNow);
  expect(liveness.isReliable()).toBe(false);
  pass(BOUND_MS - 1);
  expect(liveness.isReliable()).toBe(false);
  pass(1);
  expect(liveness.isReliable()).toBe(true);
});

it('a small drift between the clocks is not a jump', () => {
  pass(4_000, 4_400);
  expect(liveness.isReliable()).toBe(true);
});
