import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { ROUTE_COSTS } from '../../contract/route-cost.ts';
import { COST_CLASSES, type CostClass, costClasses, WAIT_MS } from './cost-classes.ts';
import { createGate, type Gate } from './gate.ts';

const OPEN: CostClass = { perMinute: 0, atOnce: 2, places: 3, waiting: 4 };
const gateOf = (row: Partial<CostClass>): Gate => createGate({ ...COST_CLASSES, database: { ...OPEN, ...row } });

/** Work that ends on demand, and the order in which it began. */
function createWork(gate: Gate): { start(who: string): Promise<string>; begun: string[]; end(who: string): void } {
  const begun: string[] = [];
  const ends: [string, () => void][] = [];
  return {
    begun,
    start: (who) =>
      gate.pass('database', who, () => {
        begun.push(who);
        return new Promise((resolve) => ends.push([who, () => resolve(who)]));
      }),
    end(who) {
      const at = ends.findIndex(([owner]) => owner === who);
      ends.splice(at, 1)[0]?.[1]();
    },
  };
}

it('one person has no more in progress than the class allows; others are not delayed by that', async () => {
  const { start, begun, end } = createWork(gateOf({}));
  const all = [start('a'), start('a'), start('a'), start('b')];
  await turn();
  expect(begun).toEqual(['a', 'a', 'b']);
  end('a');
  await turn();
  expect(begun).toEqual(['a', 'a', 'b', 'a']);
  for (const who of ['a', 'a', 'b']) end(who);
  expect(await Promise.all(all)).toEqual(['a', 'a', 'a', 'b']);
});

it('slots are given to people in turn', async () => {
  const { start, begun, end } = createWork(gateOf({ atOnce: 1, places: 1 }));
  const all = ['a', 'a', 'a', 'b', 'c'].map(start);
  for (const [at, expected] of ['a', 'a', 'b', 'c', 'a'].entries()) {
    await turn();
    expect(begun.at(-1)).toBe(expected);
    expect(begun).toHaveLength(at + 1);
    end(expected);
  }
  await Promise.all(all);
});

it('refuses immediately when the queue is full, and says when to retry', async () => {
  const { start, end } = createWork(gateOf({ atOnce: 1, waiting: 1 }));
  const first = [start('a'), start('a')];
  await expect(start('a')).rejects.toMatchObject({ code: 'rate_limited', details: { retryAfterSeconds: 1 } });
  end('a');
  await turn();
  end('a');
  expect(await Promise.all(first)).toEqual(['a', 'a']);
});

it('beyond the limit per minute it refuses one person and no other', async () => {
  const gate = gateOf({ perMinute: 2 });
  const ask = (who: string): Promise<string> => gate.pass('database', who, () => Promise.resolve('done'));
  expect([await ask('a'), await ask('a')]).toEqual(['done', 'done']);
  await expect(ask('a')).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await ask('b')).toBe('done');
});

it('a request that waits too long is refused, and its place goes to the next', async () => {
  vi.useFakeTimers();
  try {
    const { start, begun } = createWork(gateOf({ atOnce: 1 }));
    void start('a');
    const late = start('a').catch((error: { code?: string }) => error.code);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(await late).toBe('rate_limited');
    expect(begun).toEqual(['a']);
  } finally {
    vi.useRealTimers();
  }
});

it('work that fails frees its slot', async () => {
  const gate = gateOf({ atOnce: 1, places: 1, waiting: 0 });
  await expect(gate.pass('database', 'a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await gate.pass('database', 'a', () => Promise.resolve(1))).toBe(1);
});

it('never has more in progress than allowed, and lets everyone through whom it did not refuse', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ who: fc.constantFrom('a', 'b', 'c', 'd'), turns: fc.nat(3) }), { maxLength: 30 }),
      async (requests) => {
        const gate = gateOf({});
        const running = new Map<string, number>();
        let most = 0;
        const outcomes = await Promise.allSettled(
          requests.map(({ who, turns }) =>
            gate.pass('database', who, async () => {
              running.set(who, (running.get(who) ?? 0) + 1);
              most = Math.max(
                most,
                [...running.values()].reduce((sum, count) => sum + count, 0),
              );
              expect(running.get(who)).toBeLessThanOrEqual(OPEN.atOnce);
              for (let left = turns; left > 0; left--) await turn();
              running.set(who, (running.get(who) ?? 0) - 1);
            }),
          ),
        );
        expect(most).toBeLessThanOrEqual(OPEN.places);
        for (const outcome of outcomes)
          if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'rate_limited' });
        const perPerson = new Map<string, number>();
        for (const { who } of requests) perPerson.set(who, (perPerson.get(who) ?? 0) + 1);
        if ([...perPerson.values()].every((count) => count <= OPEN.waiting))
          expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
      },
    ),
    { numRuns: 100 },
  );
});

it.each(ROUTE_COSTS)('the class %s lets a person through', async (cost) => {
  expect(await createGate().pass(cost, 'a', () => Promise.resolve('through'))).toBe('through');
});

it.each([
  [1, 1],
  [2, 1],
  [3, 1],
  [10, 5],
])('of a pool of %i connections one person has %i at most', (poolMax, atOnce) => {
  expect(costClasses(poolMax).database.atOnce).toBe(atOnce);
});
