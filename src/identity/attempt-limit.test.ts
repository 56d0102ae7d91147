import { expect, it } from 'vitest';
import { createAttemptLimit } from './attempt-limit.ts';

it('allows the maximum in a window, then says how long to wait, then starts anew', () => {
  let now = 0;
  const limit = createAttemptLimit({ max: 2, windowMs: 60_000, now: () => now });
  expect([limit.take('a'), limit.take('a')]).toEqual([undefined, undefined]);
  now = 15_000;
  expect(limit.take('a')).toBe(45);
  expect(limit.wait('a')).toBe(45);
  expect(limit.take('b')).toBeUndefined();
  now = 60_000;
  expect(limit.wait('a')).toBeUndefined();
  expect(limit.take('a')).toBeUndefined();
});

it('waits only once the maximum has been counted', () => {
  const limit = createAttemptLimit({ max: 2, windowMs: 60_000, now: () => 0 });
  limit.take('a');
  expect(limit.wait('a')).toBeUndefined();
  limit.take('a');
  expect(limit.wait('a')).toBe(60);
});

it('stays within its bound by forgetting the oldest key', () => {
  const limit = createAttemptLimit({ max: 1, windowMs: 60_000, keysMax: 2, now: () => 0 });
  limit.take('a');
  limit.take('b');
  limit.take('c');
  expect(limit.wait('a')).toBeUndefined();
  expect(limit.wait('b')).toBe(60);
  expect(limit.wait('c')).toBe(60);
});
