import { describe, expect, it } from 'vitest';
import { createAttemptLimit, createSlidingLimit } from './rate-limit.ts';

const at = (start: number) => {
  let now = start;
  return { nowMs: () => now, pass: (ms: number) => void (now += ms) };
};

describe('a sliding limit', () => {
  const windowMs = 60_000;

  it('allows each key the maximum per window, and more later', () => {
    const time = at(60_000);
    const limit = createSlidingLimit({ max: 2, windowMs, nowMs: time.nowMs });
    expect([limit.take('a'), limit.take('a')]).toEqual([undefined, undefined]);
    expect(limit.take('a')).toBe(60);
    expect(limit.take('b')).toBeUndefined();
    time.pass(120_000);
    expect(limit.take('a')).toBeUndefined();
  });

  it('has no limit with a maximum of 0', () => {
    const limit = createSlidingLimit({ max: 0, windowMs, nowMs: at(0).nowMs });
    for (let turn = 0; turn < 1_000; turn++) expect(limit.take('a')).toBeUndefined();
  });

  it('does not start from zero at the boundary of a window', () => {
    const time = at(119_000);
    const limit = createSlidingLimit({ max: 10, windowMs, nowMs: time.nowMs });
    for (let turn = 0; turn < 10; turn++) expect(limit.take('a')).toBeUndefined();
    time.pass(2_000);
    expect(limit.take('a')).toBeUndefined();
    expect(limit.take('a')).toBe(59);
  });

  it('stays within its bound by forgetting the key that was quiet longest', () => {
    const limit = createSlidingLimit({ max: 1, windowMs, nowMs: () => 0 });
    expect([limit.take('first'), limit.take('first')]).toEqual([undefined, 60]);
    for (let person = 0; person < 10_000; person++) limit.take(`p${person}`);
    expect(limit.take('first')).toBeUndefined();
  });
});

describe('a limit of attempts', () => {
  const windowMs = 60_000;

  it('allows the maximum per window, then says how long to wait, then starts again', () => {
    const time = at(0);
    const limit = createAttemptLimit({ max: 2, windowMs, nowMs: time.nowMs });
    expect([limit.take('a'), limit.take('a')]).toEqual([undefined, undefined]);
    time.pass(15_000);
    expect(limit.take('a')).toBe(45);
    expect(limit.wait('a')).toBe(45);
    expect(limit.take('b')).toBeUndefined();
    time.pass(45_000);
    expect(limit.wait('a')).toBeUndefined();
    expect(limit.take('a')).toBeUndefined();
  });

  it('waits only once the maximum has been counted', () => {
    const limit = createAttemptLimit({ max: 2, windowMs, nowMs: () => 0 });
    limit.take('a');
    expect(limit.wait('a')).toBeUndefined();
    limit.take('a');
    expect(limit.wait('a')).toBe(60);
  });

  it('stays within its bound by forgetting the oldest key', () => {
    const limit = createAttemptLimit({ max: 1, windowMs, keysMax: 2, nowMs: () => 0 });
    limit.take('a');
    limit.take('b');
    limit.take('c');
    expect(limit.wait('a')).toBeUndefined();
    expect(limit.wait('b')).toBe(60);
    expect(limit.wait('c')).toBe(60);
  });
});
