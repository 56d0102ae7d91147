import { expect, it } from 'vitest';
import { showDuration, showStepTime } from './show-duration.ts';

it('shows seconds, then minutes with seconds, then hours with minutes', () => {
  expect([-5, 999, 59_999, 60_000, 3_599_999, 3_600_000, 90_061_000].map(showDuration)).toEqual([
    '0 s',
    '0 s',
    '59 s',
    '1 min 0 s',
    '59 min 59 s',
    '1 h 0 min',
    '25 h 1 min',
  ]);
});

it('shows the time of a step exactly where it is short', () => {
  expect([3.4, 999, 1_500, 59_900, 61_000].map(showStepTime)).toEqual([
    '3 ms',
    '999 ms',
    '1.5 s',
    '59.9 s',
    '1 min 1 s',
  ]);
});
