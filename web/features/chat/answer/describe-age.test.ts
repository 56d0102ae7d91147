import { expect, it } from 'vitest';
import { describeAge } from './describe-age.ts';

const NOW = new Date(2026, 4, 20, 15, 30).getTime();
const ago = (minutes: number): string => describeAge(new Date(NOW - minutes * 60_000), NOW);

it('says how long ago a message was written, more roughly the older it is', () => {
  expect(ago(0)).toBe('Just now');
  expect(ago(0.9)).toBe('Just now');
  expect(ago(5)).toMatch(/^5 min/);
  expect(ago(59)).toMatch(/^59 min/);
  expect(ago(125)).toMatch(/^2 hr/);
  // Less than a day, but not today.
  expect(ago(16 * 60)).toMatch(/^Yesterday, /);
  expect(ago(3 * 24 * 60)).toMatch(/17/);
  expect(ago(3 * 24 * 60)).not.toContain('2026');
  expect(ago(400 * 24 * 60)).toContain('2025');
});
