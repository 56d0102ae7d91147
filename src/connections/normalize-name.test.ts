import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkName, normalizeName, parseSelector } from './normalize-name.ts';

it.each([
  [undefined, 'default'],
  [null, 'default'],
  ['', 'default'],
  [' \t\n ', 'default'],
  ['Work', 'work'],
  ['  My   Work\tAccount ', 'my-work-account'],
  ['ÜBUNG', 'übung'],
  ['a-b_c.d', 'a-b_c.d'],
])('%j becomes %j', (supplied, expected) => {
  expect(normalizeName(supplied)).toBe(expected);
});

it('is stable: a name that was written once is written the same again', () => {
  fc.assert(fc.property(fc.string(), (supplied) => normalizeName(normalizeName(supplied)) === normalizeName(supplied)));
});

it.each([
  ['github', { provider: 'github', name: 'default' }],
  ['github:', { provider: 'github', name: 'default' }],
  ['github:Work Account', { provider: 'github', name: 'work-account' }],
  ['github:a:b', { provider: 'github', name: 'a:b' }],
])('the selector %s means %j', (selector, expected) => {
  expect(parseSelector(selector)).toEqual(expected);
});

it('refuses a new name that is too long or holds control characters', () => {
  expect(() => checkName('x'.repeat(65))).toThrow('invalid_request');
  expect(() => checkName('a\u0000b')).toThrow('invalid_request');
  expect(checkName('x'.repeat(64))).toHaveLength(64);
});
