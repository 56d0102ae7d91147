import { expect, it } from 'vitest';
import { cutSnippet, wordsLike } from './cut-snippet.ts';

const textOf = (parts: ReturnType<typeof cutSnippet>): string => parts.map(({ text }) => text).join('');

it('marks words, keeps markup as text and joins whitespace', () => {
  expect(cutSnippet('Say <b>hello</b>\n\nto the  Hello world', new Set(['hello', 'Hello']))).toEqual([
    { text: 'Say <b>' },
    { text: 'hello', match: true },
    { text: '</b> to the ' },
    { text: 'Hello', match: true },
    { text: ' world' },
  ]);
});

it('begins shortly before the first match and ends at a word', () => {
  const text = `${'before '.repeat(100)}needle ${'after '.repeat(100)}`;
  const parts = cutSnippet(text, new Set(['needle']));
  expect(parts[0]).toEqual({ text: '…' });
  expect(parts.at(-1)).toEqual({ text: '…' });
  expect(parts.find(({ match }) => match)).toEqual({ text: 'needle', match: true });
  expect(textOf(parts)).toMatch(/^…before .* after…$/);
  expect(textOf(parts).length).toBeLessThan(260);
});

it('shows the beginning when nothing is marked, also of a text without spaces', () => {
  expect(cutSnippet('short', new Set())).toEqual([{ text: 'short' }]);
  const faces = '😀'.repeat(500);
  expect(textOf(cutSnippet(faces, new Set())).isWellFormed()).toBe(true);
  expect(textOf(cutSnippet(`x${faces}`, new Set())).isWellFormed()).toBe(true);
});

it('asks only about words that begin like one searched for, whatever their case and accents', () => {
  expect(wordsLike('über house', ['Ungern Übung hier, der Hund. Umbau? mouse', 'hier'])).toEqual([
    'Ungern',
    'Übung',
    'hier',
    'Hund',
    'Umbau',
  ]);
});
