import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { findWords } from './find-words.ts';

/** What a word list means, said as a regular expression: slow on long texts, plain to read. */
function findByPattern(
  text: string,
  words: readonly string[],
  { caseSensitive, wholeWord }: { caseSensitive: boolean; wholeWord: boolean },
): { start: number; end: number }[] {
  const alternatives = words
    .map((word) => word.trim().replace(/\s+/g, ' '))
    .filter((word) => word !== '')
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll(' ', '\\s{1,10}'));
  if (alternatives.length === 0) return [];
  const any = `(?:${alternatives.join('|')})`;
  const pattern = new RegExp(
    wholeWord ? `(?<![\\p{L}\\p{N}_])${any}(?![\\p{L}\\p{N}_])` : any,
    caseSensitive ? 'gu' : 'giu',
  );
  return Array.from(text.matchAll(pattern), ({ 0: found, index }) => ({ start: index, end: index + found.length }));
}

const character = fc.constantFrom(
  'a',
  'b',
  'A',
  'B',
  ' ',
  '\n',
  '+',
  '.',
  '_',
  '1',
  'ß',
  'ẞ',
  'ſ',
  's',
  'K',
  'k',
  'i',
  'I',
  'ı',
  'İ',
  'é',
  '😀',
  '\u0345',
  'ι',
);
const words = fc.array(fc.string({ unit: character, maxLength: 5 }), { maxLength: 6 });
const text = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: fc.string({ unit: character, maxLength: 8 }) },
      { weight: 1, arbitrary: fc.constant(' '.repeat(11)) },
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

it('finds what the same words find as a regular expression', () => {
  fc.assert(
    fc.property(text, words, fc.boolean(), fc.boolean(), (text, words, caseSensitive, wholeWord) => {
      expect(findWords(text, words, { caseSensitive, wholeWord })).toEqual(
        findByPattern(text, words, { caseSensitive, wholeWord }),
      );
    }),
    { numRuns: 1_500 },
  );
});

it.each([
  [
    'a phrase over a word that begins it',
    'prime minister and prime',
    ['prime', 'prime minister'],
    [
      [0, 14],
      [19, 24],
    ],
  ],
  [
    'a shorter word where a letter follows the longer one',
    'c++x c++',
    ['c', 'c++'],
    [
      [0, 1],
      [5, 8],
    ],
  ],
  ['a phrase across a line break', 'red\n  fox', ['red fox'], [[0, 9]]],
  ['nothing of an empty list', 'abc', ['', '  '], []],
] as [string, string, string[], [number, number][]][])('finds %s', (_title, text, words, expected) => {
  expect(findWords(text, words).map(({ start, end }) => [start, end])).toEqual(expected);
});

it('takes time linear in the text and the words, even for repetitive input', () => {
  const phrases = Array.from({ length: 90 }, (_, at) => `${'a b '.repeat(45)}${at}`);
  const long = 'a b '.repeat(25_000);
  let lookups = 0;
  const get = Map.prototype.get;
  const counting = vi.spyOn(Map.prototype, 'get').mockImplementation(function (
    this: Map<unknown, unknown>,
    key: unknown,
  ): unknown {
    lookups++;
    return get.call(this, key);
  });
  const found = findWords(long, phrases);
  counting.mockRestore();
  expect(found).toEqual([]);
  expect(lookups).toBeGreaterThan(long.length);
  expect(lookups).toBeLessThan(3 * (long.length + phrases.join('').length));
});
