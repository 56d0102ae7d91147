import { expect, test } from 'vitest';
import { compareRun } from '../support/broker/broker-differential.ts';

test('fifty times as many random runs agree with the reference', () => {
  const reached = new Map<string, number>();
  for (let seed = 1; seed <= 10_000; seed++) {
    compareRun(seed, true, reached);
    compareRun(seed + 10_000_000, false, reached);
  }
  expect(reached.get('execute') ?? 0).toBeGreaterThan(10_000);
});
