import { array, assert, constantFrom, integer, oneof, property, record } from 'fast-check';
import { expect, it } from 'vitest';
import { createBoundedMap, createLoadingCache, createTtlCache } from './bounded-cache.ts';

const key = constantFrom('a', 'b', 'c', 'd', 'e');
const actions = array(
  oneof(
    record({ action: constantFrom('set' as const), key, value: integer({ min: 1, max: 6 }) }),
    record({ action: constantFrom('delete' as const, 'get' as const), key }),
  ),
);

it('evicts what was set longest ago, and no more than it must', () => {
  assert(
    property(actions, integer({ min: 1, max: 4 }), integer({ min: 6, max: 12 }), (steps, most, weightMost) => {
      const map = createBoundedMap<string, number>(most, { of: (value) => value, most: weightMost });
      let model: [string, number][] = [];
      for (const step of steps) {
        if (step.action === 'get') {
          expect(map.get(step.key)).toBe(model.find(([name]) => name === step.key)?.[1]);
          continue;
        }
        const had = model.some(([name]) => name === step.key);
        model = model.filter(([name]) => name !== step.key);
        if (!('value' in step)) expect(map.delete(step.key)).toBe(had);
        else {
          map.set(step.key, step.value);
          model.push([step.key, step.value]);
          while (model.length > most || model.reduce((sum, [, value]) => sum + value, 0) > weightMost) model.shift();
        }
        expect(map.size).toBe(model.length);
        for (const [name] of model) expect(map.has(name)).toBe(true);
      }
    }),
  );
});

it('keeps a value for its lifetime, or until an earlier moment', () => {
  let now = 0;
  const cache = createTtlCache<string, number>({ most: 2, ttlMs: 100, nowMs: () => now });
  cache.set('a', 1);
  cache.set('b', 2, 50);
  now = 49;
  expect([cache.get('a'), cache.get('b')]).toEqual([1, 2]);
  now = 50;
  expect([cache.get('a'), cache.get('b')]).toEqual([1, undefined]);
  now = 100;
  expect(cache.get('a')).toBeUndefined();
});

it('lets concurrent callers share a load, and keeps neither failures nor forgotten values', async () => {
  let loads = 0;
  const cache = createLoadingCache<string, number>({ most: 2, ttlMs: 1_000 });
  const load = async (): Promise<number> => {
    loads++;
    if (loads === 1) throw new Error('no');
    return loads;
  };
  const failed = await Promise.allSettled([cache.get('a', load), cache.get('a', load)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await Promise.all([cache.get('a', load), cache.get('a', load)])).toEqual([2, 2]);
  cache.forget('a');
  expect(await cache.get('a', load)).toBe(3);
});

it('loads again after the lifetime, and evicts the oldest entries first', async () => {
  let now = 0;
  let loads = 0;
  const cache = createLoadingCache<string, number>({ most: 2, ttlMs: 100, nowMs: () => now });
  const load = async (): Promise<number> => ++loads;
  expect(await cache.get('a', load)).toBe(1);
  now = 100;
  expect(await cache.get('a', load)).toBe(2);
  expect(await cache.get('b', load)).toBe(3);
  expect(await cache.get('c', load)).toBe(4);
  expect(await cache.get('b', load)).toBe(3);
  expect(await cache.get('a', load)).toBe(5);
});
