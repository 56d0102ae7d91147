import { expect, it } from 'vitest';
import { daysOf, periodOf } from './spend-periods.ts';

const NOW = new Date('2026-01-15T12:00:00Z');

it('offers this month, the last one and three months, across the turn of the year', () => {
  expect(periodOf('month', NOW)).toEqual({ from: '2026-01-01', to: '2026-01-15' });
  expect(periodOf('last', NOW)).toEqual({ from: '2025-12-01', to: '2025-12-31' });
  expect(periodOf('quarter', NOW)).toEqual({ from: '2025-11-01', to: '2026-01-15' });
});

it('lists every day of a period', () => {
  expect(daysOf({ from: '2025-12-30', to: '2026-01-02' })).toEqual([
    '2025-12-30',
    '2025-12-31',
    '2026-01-01',
    '2026-01-02',
  ]);
});
