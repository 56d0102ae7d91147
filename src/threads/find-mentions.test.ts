import { expect, it } from 'vitest';
import { findMentions, mentionedKeys } from './find-mentions.ts';

it.each([
  ['Ask @github to list issues', ['github']],
  ['@github.work and @slack, please', ['github.work', 'slack']],
  ['Look at @github.', ['github']],
  ['(@google-drive)', ['google-drive']],
  ['@GitHub twice: @github', ['github']],
  ['mail ada@github.com', []],
  ['@@github', []],
  ['no.@github', []],
  ['a plain @ sign', []],
  ['', []],
])('%j mentions %j', (text, keys) => {
  expect(mentionedKeys(text)).toEqual(keys);
});

it('counts only what exists', () => {
  const exists = (key: string): boolean => ['github', 'slack.team'].includes(key);
  expect(findMentions('@github @github.work @slack @slack.team @constructor', exists)).toEqual([
    'github',
    'slack.team',
  ]);
});

it('handles a text that is one long mention quickly', () => {
  expect(mentionedKeys(`@${'a.'.repeat(200_000)}`)).toHaveLength(1);
  expect(mentionedKeys('@a '.repeat(100_000))).toEqual(['a']);
});
