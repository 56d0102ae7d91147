import { expect, test } from 'vitest';
import { compareRun } from '../../../test/support/broker/broker-differential.ts';

const RUNS = 200;

test('answers and sends what the reference does, request by request, when all that is due has fired', () => {
  const reached = new Map<string, number>();
  for (let seed = 1; seed <= RUNS; seed++) compareRun(seed, true, reached);
  // The comparison is worth something only if the runs got somewhere.
  for (const what of [
    'task.acquire 200',
    'task.suspend 200',
    'task.suspend 300',
    'task.fulfill 200',
    'task.fence 200',
    'task.release 200',
    'task.continue 200',
    'task.heartbeat 200',
    'execute',
    'unblock',
  ]) {
    expect(reached.get(what) ?? 0, what).toBeGreaterThan(10);
  }
}, 60_000);

test('answers what the reference does when deadlines and leases are noticed late', () => {
  const reached = new Map<string, number>();
  for (let seed = 1_000_001; seed <= 1_000_000 + RUNS; seed++) compareRun(seed, false, reached);
  expect(reached.get('task.suspend 200') ?? 0).toBeGreaterThan(10);
}, 60_000);
