import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ScimError } from '../scim-error.ts';
import { readFilter } from './read-filter.ts';

const KNOWN = {
  id: 'string',
  username: 'string',
  externalid: 'string',
  'emails.value': 'string',
  active: 'boolean',
} as const;

describe('a filter', () => {
  it.each([
    ['userName eq "a@b.co"', [['username', 'a@b.co']]],
    ['USERNAME Eq "A b \\" ] and x"', [['username', 'A b " ] and x']]],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a"', [['username', 'a']]],
    ['emails[type eq "work"].value eq "a@b.co"', [['emails.value', 'a@b.co']]],
    [
      'emails.value eq "a@b.co" and active eq true',
      [
        ['emails.value', 'a@b.co'],
        ['active', true],
      ],
    ],
    [
      'id eq "1" AND externalId eq "2"',
      [
        ['id', '1'],
        ['externalid', '2'],
      ],
    ],
  ])('%s', (text, expected) => {
    expect(readFilter(text, KNOWN).map(({ name, value }) => [name, value])).toEqual(expected);
  });

  it.each([
    '',
    'userName',
    'userName eq',
    'userName eq a',
    'userName eq "a',
    'userName eq "a" userName eq "b"',
    'userName eq "a" and',
    'userName eq "a" or id eq "b"',
    'not (userName eq "a")',
    '(userName eq "a")',
    'userName co "a"',
    'userName pr',
    'userName eq null',
    'userName eq 1',
    'userName eq "\\u0000"',
    'userName eq "\\ud800"',
    'active eq "true"',
    'title eq "x"',
    '__proto__ eq "x"',
    'constructor eq "x"',
    'emails[type eq "home"].value eq "x"',
    'emails[type eq "work" and primary eq true].value eq "x"',
    'name.givenName.x eq "x"',
    `userName eq "${'a'.repeat(1_000)}"`,
    Array.from({ length: 9 }, () => 'id eq "1"').join(' and '),
    '['.repeat(900),
    "userName eq 'x'; drop table users",
  ])('refuses %s', (text) => {
    expect(() => readFilter(text, KNOWN)).toThrow(expect.objectContaining({ scimType: 'invalidFilter' }));
  });

  it('reads any value that it is given, and refuses everything else in its own terms', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (value) => {
        if (value.includes('\0') || !value.isWellFormed()) return;
        expect(readFilter(`userName eq ${JSON.stringify(value)}`, KNOWN)).toEqual([{ name: 'username', value }]);
      }),
    );
    const word = fc.constantFrom(
      'userName',
      'eq',
      'and',
      '"x"',
      '[',
      ']',
      '(',
      '.value',
      'emails',
      'true',
      ' ',
      '\\',
      '"',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 30 }), (words) => {
        try {
          readFilter(words.join(' '), KNOWN);
        } catch (error) {
          expect(error).toBeInstanceOf(ScimError);
        }
      }),
    );
  });
});
