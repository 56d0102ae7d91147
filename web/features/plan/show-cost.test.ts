import { expect, it } from 'vitest';
import { showCost } from './show-cost.ts';

it('shows an unknown cost as such, not as zero', () => {
  expect(showCost({ cost: 0, unpriced: 0 })).toBe('$0.00');
  expect(showCost({ cost: 1.5, unpriced: 0 })).toBe('$1.50');
  expect(showCost({ cost: 0, unpriced: 2 })).toBe('Unknown');
  expect(showCost({ cost: 1.5, unpriced: 2 })).toBe('$1.50 + 2 unknown');
});
