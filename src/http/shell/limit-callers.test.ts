import { describe, expect, it } from 'vitest';
import { createCallerLimit } from './limit-callers.ts';

const at = (start: number) => {
  let now = start;
  return { clock: () => new Date(now), pass: (ms: number) => void (now += ms) };
};

describe('how often one person may ask', () => {
  it('is so often a minute, for each by themselves, and again after a while', () => {
    const time = at(60_000);
    const limit = createCallerLimit(2, time.clock);
    expect([limit.take('a'), limit.take('a')]).toEqual([undefined, undefined]);
    expect(limit.take('a')).toBe(60);
    expect(limit.take('b')).toBeUndefined();
    time.pass(120_000);
    expect(limit.take('a')).toBeUndefined();
  });

  it('is without end where no limit is set', () => {
    const limit = createCallerLimit(0, at(0).clock);
    for (let turn = 0; turn < 1_000; turn++) expect(limit.take('a')).toBeUndefined();
  });

  it('does not start anew at the edge of a minute', () => {
    const time = at(119_000);
    const limit = createCallerLimit(10, time.clock);
    for (let turn = 0; turn < 10; turn++) expect(limit.take('a')).toBeUndefined();
    time.pass(2_000);
    expect(limit.take('a')).toBeUndefined();
    expect(limit.take('a')).toBe(59);
  });

  it('is kept of a bounded number of people', () => {
    const limit = createCallerLimit(1, () => new Date(0));
    expect([limit.take('first'), limit.take('first')]).toEqual([undefined, 60]);
    for (let person = 0; person < 10_000; person++) limit.take(`p${person}`);
    expect(limit.take('first')).toBeUndefined();
  });
});
