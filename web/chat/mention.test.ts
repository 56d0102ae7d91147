import { describe, expect, it } from 'vitest';
import { findMention, namesCapability, offerCapabilities, putMention } from './mention.ts';

const capability = (key: string, usable = true) => ({ key, title: key.toUpperCase(), usable, ...(usable ? {} : { why: 'It has run out.' }) });

describe('what is being typed', () => {
  it.each([
    ['@', 1, { start: 0, query: '' }],
    ['ask @git', 8, { start: 4, query: 'git' }],
    ['ask @github.wo please', 14, { start: 4, query: 'github.wo' }],
    ['(@slack', 7, { start: 1, query: 'slack' }],
    ['ask @git now', 12, undefined],
    ['ada@git', 7, undefined],
    ['@@git', 5, undefined],
    ['', 0, undefined],
  ])('%j at %i', (text, caret, mention) => {
    expect(findMention(text, caret)).toEqual(mention);
  });
});

it('writes a mention out where it was begun, with one space behind it', () => {
  expect(putMention('ask @gi', { start: 4, query: 'gi' }, 'github')).toEqual({ text: 'ask @github ', caret: 12 });
  expect(putMention('ask @gi please', { start: 4, query: 'gi' }, 'github.work')).toEqual({ text: 'ask @github.work please', caret: 17 });
});

it('offers what can be used first, then what begins with the word', () => {
  const all = [capability('gitlab', false), capability('my-git'), capability('github'), capability('slack')];
  expect(offerCapabilities(all, 'git').map(({ key }) => key)).toEqual(['github', 'my-git', 'gitlab']);
  expect(offerCapabilities(all, '')).toHaveLength(4);
  expect(offerCapabilities(all, 'zzz')).toEqual([]);
});

it('knows when a text names a capability', () => {
  const known = [capability('github'), capability('github.work')];
  expect(namesCapability('List @github.work.', known)).toBe(true);
  expect(namesCapability('List @GitHub, please', known)).toBe(true);
  expect(namesCapability('Mail ada@github or @nobody', known)).toBe(false);
});
