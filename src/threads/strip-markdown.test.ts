import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stripMarkdown } from './strip-markdown.ts';

it.each([
  ['**Deploy** the *new* ~~old~~ build', 'Deploy the new old build'],
  ['## A heading\n\ntext', 'A heading\n\ntext'],
  ['- one\n* two\n+ [x] three\n1. four', 'one\ntwo\nthree\n1. four'],
  ['> quoted\n> > twice', 'quoted\ntwice'],
  ['see [the page](https://a.test/x "T") and ![a cat](cat.png)', 'see the page and a cat'],
  ['call `do_it(**args)` now', 'call do_it(**args) now'],
  ['before\n```ts\nconst a_b = 2 * 3;\n```\nafter', 'before\nconst a_b = 2 * 3;\n\nafter'],
  ['```\nnot closed', 'not closed'],
  ['| a | b |\n|---|:-:|\n| **c** | d |', '  a   b  \n\n  c   d  '],
  ['_one_ and __two__ but snake_case_name', 'one and two but snake_case_name'],
  ['2 * 3 and \\*stars\\* and a - b', '2 * 3 and *stars* and a - b'],
  ['', ''],
])('takes the marks off %j', (text, plain) => {
  expect(stripMarkdown(text)).toBe(plain);
});

it('keeps every word of a text without links, in its order', () => {
  const piece = fc.constantFrom(
    'word',
    'Straße',
    'x1',
    ' ',
    '\n',
    '**',
    '*',
    '_',
    '`',
    '```',
    '#',
    '> ',
    '- ',
    '|',
    '~~',
  );
  const words = (text: string): string => (text.match(/[\p{L}\p{N}]+/gu) ?? []).join('');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      // What follows the beginning of a fence names a language.
      const text = pieces.join('').replaceAll(/```[^\n`]*/g, '```\n');
      expect(words(stripMarkdown(text))).toBe(words(text));
    }),
  );
});
