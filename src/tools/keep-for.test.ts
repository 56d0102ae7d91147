import { describe, expect, it } from 'vitest';
import { keepFor } from './keep-for.ts';

describe('answers kept for a while', () => {
  it('are read again once their time is over, shared before, and never kept when they fail', async () => {
    let now = 0;
    let reads = 0;
    const kept = keepFor<number>({ forMs: 100, max: 2, clock: () => new Date(now) });
    const read = async () => ++reads;
    expect(await Promise.all([kept.get('a', read), kept.get('a', read)])).toEqual([1, 1]);
    now = 100;
    expect(await kept.get('a', read)).toBe(2);
    await expect(kept.get('b', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await kept.get('b', read)).toBe(3);
    kept.forget('b');
    expect(await kept.get('b', read)).toBe(4);
  });

  it('make room for new ones, the oldest first', async () => {
    const kept = keepFor<string>({ forMs: 100, max: 2, clock: () => new Date(0) });
    for (const key of ['a', 'b', 'c']) await kept.get(key, async () => key);
    expect(await kept.get('b', async () => 'again')).toBe('b');
    expect(await kept.get('a', async () => 'again')).toBe('again');
  });
});
