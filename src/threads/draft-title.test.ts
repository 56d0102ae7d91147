import { expect, it } from 'vitest';
import { cleanTitle, draftTitle } from './draft-title.ts';

it.each([
  ['Hello', 'Hello'],
  ['  Many\n\n spaces\there ', 'Many spaces here'],
  ['one two three four five six seven eight nine', 'one two three four five six seven eight…'],
  ['', 'New conversation'],
  ['Make **this** [page](https://a.test) `fast`', 'Make this page fast'],
  ['x'.repeat(100), `${'x'.repeat(60)}…`],
])('%j becomes %j', (text, title) => {
  expect(draftTitle(text)).toBe(title);
});

it('never splits a character', () => {
  expect(draftTitle(`${'x'.repeat(59)}😀😀`).isWellFormed()).toBe(true);
});

it.each([
  ['"Six Times Seven."', 'Six Times Seven'],
  ['**Title:** Bread', 'Bread'],
  ['Title: Bread\nwith a second line', 'Bread'],
  ['\n\n# Baking bread', 'Baking bread'],
  ['«Хлеб»', 'Хлеб'],
  ['The **best** `bread`', 'The best bread'],
  ['', ''],
  ['...', ''],
])('of a model, %j becomes %j', (answer, title) => {
  expect(cleanTitle(answer)).toBe(title);
});
