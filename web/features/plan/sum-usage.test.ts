import { describe, expect, it } from 'vitest';
import { roundUp, sumUsage } from './sum-usage.ts';

const NOW = Date.parse('2026-03-02T23:30:00Z');
const day = (date: string, requests: number, cost = 0) => ({
  date,
  model: 'm',
  provider: 'p',
  credential: 'platform' as const,
  requests,
  inputTokens: 10,
  outputTokens: 5,
  cost,
});

describe('usage by day', () => {
  it('adds up what models used on a day and fills the days without usage', () => {
    expect(sumUsage([day('2026-03-02', 2), day('2026-03-02', 3), day('2026-02-28', 1)], 'requests', 3, NOW)).toEqual([
      { date: '2026-02-28', value: 1 },
      { date: '2026-03-01', value: 0 },
      { date: '2026-03-02', value: 5 },
    ]);
    expect(sumUsage([day('2026-03-02', 2)], 'tokens', 1, NOW)).toEqual([{ date: '2026-03-02', value: 15 }]);
  });

  it.each([
    [0, 1],
    [1, 1],
    [3, 5],
    [7, 10],
    [0.0012, 0.002],
    [20, 20],
    [21, 50],
  ])('draws %d below a line at %d', (value, line) => {
    expect(roundUp(value)).toBeCloseTo(line, 10);
  });
});
