import { expect, it } from 'vitest';
import { headingLevels } from './heading-levels.ts';

it('makes the heading levels of a text consecutive', () => {
  expect(headingLevels([2, 4], 2)).toBe('334455');
  expect(headingLevels([1, 2, 3], 2)).toBe('345666');
  expect(headingLevels([], 2)).toBe('333333');
});
