import { expect, it } from 'vitest';
import { AppError } from '../../base/errors.ts';
import { lifetimeSeconds } from './token-lifetime.ts';

const DAY = 86_400;

it.each([
  // wish, named, seconds
  [undefined, true, 30 * DAY],
  [1, true, DAY],
  [365, true, 365 * DAY],
  ['1d', true, DAY],
  ['365d', true, 365 * DAY],
  ['24h', true, DAY],
  [DAY, true, DAY],
  [365 * DAY, true, 365 * DAY],
  [undefined, false, 900],
  [60, false, 60],
  [365, false, 365],
  ['30s', false, 30],
  ['15m', false, 900],
  // Cut, not refused.
  [901, false, 900],
  ['12h', false, 900],
  ['30d', false, 900],
] as const)('%s, named %s, lives %d seconds', (wish, named, seconds) => {
  expect(lifetimeSeconds(wish, named)).toBe(seconds);
});

it.each([
  [366, true],
  [3_600, true],
  ['12h', true],
  ['366d', true],
  [365 * DAY + 1, true],
  ['99999999d', true],
  [0, false],
  [-1, false],
  ['0s', false],
  ['5', false],
  ['5w', false],
  ['', false],
  [Number.NaN, false],
] as const)('%s, named %s, is refused', (wish, named) => {
  expect(() => lifetimeSeconds(wish, named)).toThrow(AppError);
});
