import { expect, it } from 'vitest';
import { backOffMs } from './back-off.ts';

it('starts at 0.2 s, doubles with each failure and stays at 10 s', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 8, 2000].map(backOffMs)).toEqual([
    200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000,
  ]);
});
