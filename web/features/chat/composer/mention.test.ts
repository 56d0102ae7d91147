import { describe, expect, it } from 'vitest';
import { findMention, findUnusable, namedKeys, offerCapabilities, putMention } from './mention.ts';

const capability = (key: string, usable = true) => ({
  key,
  title: key.toUpperCase(),
  usable,
  ...(usable ? {} : { why: 'It has run out.' }),
});

describe('the mention being typed', () => {
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

it('completes a mention in place, followed by one space', () => {
  expect(putMention('ask @gi', { start: 4, query: 'gi' }, 'github')).toEqual({ text: 'ask @github ', caret: 12 });
  expect(putMention('ask @gi please', { start: 4, query: 'gi' }, 'github.work')).toEqual({
    text: 'ask @github.work please',
    caret: 17,
  });
});

it('offers usable capabilities first, then prefix matches', () => {
  const all = [capability('gitlab', false), capability('my-git'), capability('github'), capability('slack')];
  expect(offerCapabilities(all, 'git').map(({ key }) => key)).toEqual(['github', 'my-git', 'gitlab']);
  expect(offerCapabilities(all, '')).toHaveLength(4);
  expect(offerCapabilities(all, 'zzz')).toEqual([]);
});

it('finds the mentions of a text, connected or not', () => {
  const connectors = new Set(['github', 'gitlab']);
  expect(namedKeys('List @github.work. And @GitLab, please', connectors)).toEqual(['github.work', 'gitlab']);
  expect(namedKeys('Mail ada@github or @nobody', connectors)).toEqual([]);
});

it('finds what a run cannot use: no connection, or an expired one', () => {
  const known = [capability('github'), { ...capability('gitlab', false), why: 'It has expired.' }];
  expect(findUnusable(['github'], known)).toBeUndefined();
  expect(findUnusable(['github', 'gitlab'], known)).toEqual({ connector: 'gitlab', why: 'It has expired.' });
  expect(findUnusable(['github.work'], known)).toEqual({ connector: 'github' });
});
