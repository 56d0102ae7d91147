import { describe, expect, it } from 'vitest';
import { createPacer, isPaced, weightOf } from './pace-answers.ts';

const ROW = { perSecond: 10, burst: 3, mostWaitMs: 500, mostNetworks: 2 };

describe('the pace of free answers', () => {
  it('lets a burst leave at once, then one after another, and gives up beyond the longest wait', () => {
    const pace = createPacer(ROW);
    expect(Array.from({ length: 9 }, () => pace('192.0.2.1', 0))).toEqual([
      0,
      0,
      0,
      100,
      200,
      300,
      400,
      500,
      undefined,
    ]);
  });

  it('has a whole burst again after a quiet time', () => {
    const pace = createPacer(ROW);
    for (let times = 0; times < 5; times++) pace('192.0.2.1', 0);
    expect([
      pace('192.0.2.1', 1_000),
      pace('192.0.2.1', 1_000),
      pace('192.0.2.1', 1_000),
      pace('192.0.2.1', 1_000),
    ]).toEqual([0, 0, 0, 100]);
  });

  it('counts networks apart, and an IPv6 subscriber as one', () => {
    const pace = createPacer(ROW);
    for (let times = 0; times < 4; times++) pace(`2001:db8::${times}`, 0);
    expect([pace('192.0.2.1', 0), pace('2001:db8::9', 0)]).toEqual([0, 200]);
  });

  it('remembers a bounded number of networks', () => {
    const pace = createPacer(ROW);
    for (let times = 0; times < 4; times++) pace('192.0.2.1', 0);
    for (const address of ['192.0.2.2', '192.0.2.3']) pace(address, 0);
    expect(pace('192.0.2.1', 0)).toBe(0);
  });

  it('counts the refusal of a large body as many', () => {
    const pace = createPacer(ROW);
    expect([pace('192.0.2.1', 0, 5), pace('192.0.2.1', 0)]).toEqual([200, 300]);
    expect([200, 300_000, 30_000_000].map(weightOf)).toEqual([0, 4, 100]);
  });

  it('is for refusals and health', () => {
    expect([400, 401, 404, 413, 429, 499].every((status) => isPaced(status, '/x'))).toBe(true);
    expect([200, 204, 302, 500, 503].some((status) => isPaced(status, '/x'))).toBe(false);
    expect(isPaced(200, '/healthz')).toBe(true);
  });
});
