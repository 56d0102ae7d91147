import fc from 'fast-check';
import { expect, it } from 'vitest';
import { slug } from '../../contract/common.ts';
import { slugCandidates } from './slug.ts';

it.each([
  ['Acme Inc.', 'acme-inc'],
  ['  Crème  brûlée!  ', 'creme-brulee'],
  ['日本', 'fallback'],
  ['---', 'fallback'],
  [`${'a'.repeat(39)} b`, 'a'.repeat(39)],
])('makes of %j the slug %s', (name, expected) => {
  expect(slugCandidates(name, 'fallback')[0]).toBe(expected);
});

it('makes only slugs that the contract takes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (name) => {
      expect(slugCandidates(name, 'fallback').filter((each) => !slug.safeParse(each).success)).toEqual([]);
    }),
  );
});
