import { expect, it } from 'vitest';
import { showDuration } from './show-duration.ts';

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
