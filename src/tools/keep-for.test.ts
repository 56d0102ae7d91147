import { describe, expect, it } from 'vitest';
import { cacheKey } from '../base/cache-key.ts';
import { keepFor } from './keep-for.ts';

describe('answers kept for a while', () => {
  it('are read again once their time is over, shared before, and never kept when they fail', async () => {
    let now = 0;
    let reads = 0;
    const kept = keepFor<number>({ forMs: 100, max: 2, clock: () => new Date(now) });
    const read = async () => ++reads;
    expect(await Promise.all([kept.get(cacheKey('a'), read), kept.get(cacheKey('a'), read)])).toEqual([1, 1]);
    now = 100;
    expect(await kept.get(cacheKey('a'), read)).toBe(2);
    await expect(kept.get(cacheKey('b'), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await kept.get(cacheKey('b'), read)).toBe(3);
    kept.forget(cacheKey('b'));
    expect(await kept.get(cacheKey('b'), read)).toBe(4);
  });

  it('make room for new ones, the oldest first', async () => {
    const kept = keepFor<string>({ forMs: 100, max: 2, clock: () => new Date(0) });
    for (const key of ['a', 'b', 'c']) await kept.get(cacheKey(key), async () => key);
    expect(await kept.get(cacheKey('b'), async () => 'again')).toBe('b');
    expect(await kept.get(cacheKey('a'), async () => 'again')).toBe('again');
  });
});
