import { asyncProperty, assert, array, constantFrom, integer, record, uniqueArray } from 'fast-check';
import { expect, it } from 'vitest';
import { createLanes } from './lanes.ts';

interface Item {
  readonly at: number;
  readonly kind: 'slow' | 'quick';
  readonly keys: readonly string[];
}

const itemsGiven = array(
  record({
    kind: constantFrom<Item['kind'][]>('slow', 'quick'),
    keys: uniqueArray(constantFrom('a', 'b', 'c', 'd'), { maxLength: 2 }),
    pause: integer({ min: 0, max: 3 }),
    work: integer({ min: 0, max: 4 }),
  }),
  { maxLength: 60 },
);

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

it.each([false, true])(
  'takes everything once, in the order of every key, with no key under way twice (keys shared in a batch: %s)',
  async (mayShareBatch) => {
    await assert(
      asyncProperty(
        itemsGiven,
        integer({ min: 1, max: 3 }),
        integer({ min: 1, max: 5 }),
        async (given, lanes, most) => {
          const began: Item[] = [];
          const underWay: { items: Item[]; kind: string }[] = [];
          const queue = createLanes<Item, Item['kind']>({
            kinds: ['slow', 'quick'],
            kindOf: ({ kind }) => kind,
            lanes,
            most,
            keys: { of: ({ keys }) => keys, mayShareBatch },
            run: async (items, kind) => {
              expect(items.length).toBeGreaterThan(0);
              expect(items.length).toBeLessThanOrEqual(most);
              expect(items.every((item) => item.kind === kind)).toBe(true);
              expect(underWay.filter((one) => one.kind === kind).length).toBeLessThan(lanes);
              const busy = underWay.flatMap((one) => one.items.flatMap(({ keys }) => keys));
              const keys = items.flatMap((item) => item.keys);
              expect(keys.filter((key) => busy.includes(key))).toEqual([]);
              if (!mayShareBatch) expect(new Set(keys).size).toBe(keys.length);
              began.push(...items);
              const mine = { items, kind };
              underWay.push(mine);
              await turns(given[items[0]?.at ?? 0]?.work ?? 0);
              underWay.splice(underWay.indexOf(mine), 1);
            },
          });
          for (const [at, { kind, keys, pause }] of given.entries()) {
            queue.add({ at, kind, keys });
            await turns(pause);
          }
          await queue.drain();
          expect(queue.waiting).toBe(0);
          expect(began.map(({ at }) => at).sort((a, b) => a - b)).toEqual(given.map((_, at) => at));
          for (const key of ['a', 'b', 'c', 'd']) {
            const order = began.filter(({ keys }) => keys.includes(key)).map(({ at }) => at);
            expect(order).toEqual([...order].sort((a, b) => a - b));
          }
        },
      ),
      { numRuns: 60 },
    );
  },
);

it('bounds the size of a batch, and takes an oversized item alone', async () => {
  const batches: number[][] = [];
  const queue = createLanes<number, 'all'>({
    kinds: ['all'],
    lanes: 1,
    most: 3,
    size: { of: (item) => item, most: 10 },
    run: async (items) => void batches.push(items),
  });
  for (const item of [4, 6, 1, 50, 1, 1, 1, 1]) queue.add(item);
  await queue.drain();
  expect(batches).toEqual([[4, 6], [1], [50], [1, 1, 1], [1]]);
});

it('reads the limits of lanes and items each time', async () => {
  const batches: number[][] = [];
  let together = false;
  const queue = createLanes<number, 'all'>({
    kinds: ['all'],
    lanes: () => (together ? 1 : Infinity),
    most: () => (together ? 10 : 1),
    run: async (items) => void batches.push(items),
  });
  for (const item of [1, 2]) queue.add(item);
  queue.start();
  together = true;
  for (const item of [3, 4]) queue.add(item);
  await queue.drain();
  expect(batches).toEqual([[1], [2], [3, 4]]);
});

it('starts an empty batch if one is wanted, and only of that kind', async () => {
  const batches: string[] = [];
  let wanted = true;
  const queue = createLanes<number, 'a' | 'b'>({
    kinds: ['a', 'b'],
    kindOf: () => 'a',
    lanes: 1,
    most: 10,
    isWanted: (kind) => kind === 'b' && wanted,
    run: async (items, kind) => {
      wanted = false;
      batches.push(`${kind}${items.length}`);
    },
  });
  queue.start();
  await queue.drain();
  expect(batches).toEqual(['b0']);
});
