import fc from 'fast-check';
import { expect, it } from 'vitest';
import { THIS_MACHINE } from '../../../net/caller-network.ts';
import { MORE_FROM_THIS_MACHINE, type Sender, type ShareRow } from './limits.ts';
import { createShares } from './shares.ts';

const person = (userId: string): Sender => ({ userId });
const stranger = (userId: string): Sender => ({ userId, stranger: true });

/** Takes one by one until it is refused; returns how many it got. */
function takeAll(take: () => boolean): number {
  let taken = 0;
  while (take()) taken++;
  return taken;
}

it('one sender gets at most its share; another gets its own', () => {
  const shares = createShares({ each: 3, total: 100, strangers: 100 });
  expect(takeAll(() => shares.take(person('a')))).toBe(3);
  expect(takeAll(() => shares.take(person('b')))).toBe(3);
  shares.give(person('a'));
  expect(takeAll(() => shares.take(person('a')))).toBe(1);
});

it('a share is left for the next one, however many take all they can get', () => {
  const shares = createShares({ each: 128, total: 512, strangers: 0 });
  const got = Array.from({ length: 100 }, (_, at) => takeAll(() => shares.take(person(`greedy-${at}`))));
  expect(got.slice(0, 4)).toEqual([128, 128, 128, 2]);
  // The last quarter goes in small parts: to 64 senders, as many as would fit into it.
  expect(got.filter((amount) => amount > 0)).toHaveLength(3 + 64);
});

it('strangers together leave the rest for people', () => {
  const shares = createShares({ each: 4, total: 64, strangers: 32 });
  let taken = 0;
  for (let network = 0; network < 100; network++) taken += takeAll(() => shares.take(stranger(`net-${network}`)));
  expect(taken).toBe(32);
  expect(shares.take(person('a'))).toBe(true);
});

it('this machine may stand for many', () => {
  const shares = createShares({ each: 2, total: 1_000, strangers: 500 });
  expect(takeAll(() => shares.take(stranger(THIS_MACHINE)))).toBe(2 * MORE_FROM_THIS_MACHINE);
});

const moves = fc.array(
  fc.record({
    sender: fc.integer({ min: 0, max: 5 }),
    stranger: fc.boolean(),
    amount: fc.integer({ min: 1, max: 40 }),
    gives: fc.boolean(),
  }),
  { maxLength: 200 },
);

it('never exceeds a bound, refuses nobody who wants little while something is free, and forgets nothing', () => {
  const row: ShareRow = { each: 60, total: 100, strangers: 50 };
  fc.assert(
    fc.property(moves, (all) => {
      const shares = createShares(row);
      const held: { key: string; who: Sender; amount: number }[] = [];
      const sum = (which: (one: (typeof held)[number]) => boolean): number =>
        held.filter(which).reduce((total, { amount }) => total + amount, 0);
      for (const move of all) {
        const key = `${move.stranger ? 's' : 'p'}${move.sender}`;
        const who = move.stranger ? stranger(key) : person(key);
        if (move.gives) {
          const at = held.findIndex((one) => one.key === key);
          if (at >= 0) shares.give(who, held.splice(at, 1)[0]?.amount);
          continue;
        }
        const [own, free] = [sum((one) => one.key === key), row.total - sum(() => true)];
        const strangers = sum(({ who: { stranger: is } }) => is === true);
        const taken = shares.take(who, move.amount);
        if (taken) held.push({ key, who, amount: move.amount });
        expect(sum((one) => one.key === key)).toBeLessThanOrEqual(row.each);
        expect(sum(() => true)).toBeLessThanOrEqual(row.total);
        const isLeft = move.amount <= free && (!move.stranger || strangers + move.amount <= row.strangers);
        if (own + move.amount <= 1) expect(taken).toBe(isLeft);
        if (own + move.amount <= row.each && free - move.amount >= row.total / 4) expect(taken).toBe(isLeft);
      }
    }),
  );
});
