import { expect, it } from 'vitest';
import { showTime } from './show-time.ts';

const NOW = Date.parse('2026-03-04T12:00:00Z');

it.each([
  ['2026-03-04T11:59:30.000Z', 'just now'],
  ['2026-03-04T12:00:30Z', 'in a moment'],
  ['2026-03-04T11:59:00Z', '1 minute ago'],
  ['2026-03-04T10:30:00Z', '1 hour ago'],
  ['2026-03-02T12:00:00Z', '2 days ago'],
  ['2026-03-07T13:00:00Z', 'in 3 days'],
  ['2026-03-04', '2026-03-04'],
  ['not a time', 'not a time'],
])('%s is %s', (cell, shown) => {
  expect(showTime(cell, false, NOW)).toBe(shown);
});

it('is a date if it is far away, or if asked for', () => {
  const date = /^2026-01-0\d \d\d:\d\d$/;
  expect(showTime('2026-01-04T12:00:00Z', false, NOW)).toMatch(date);
  expect(showTime('2026-03-04T11:00:00Z', true, NOW)).toMatch(/^2026-03-04 \d\d:\d\d$/);
});
