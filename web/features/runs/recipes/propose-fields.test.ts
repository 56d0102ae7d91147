import { describe, expect, it } from 'vitest';
import { findVariables } from '../../../../src/contract/prompt-template.ts';
import { nameField, proposeFields, putField } from './propose-fields.ts';

const proposed = (objective: string): string[][] => proposeFields(objective).map(({ kind, text }) => [kind, text]);

describe('fields that are proposed for a recipe', () => {
  it('are the parts of an objective that are likely to differ the next time', () => {
    expect(
      proposed(
        'Compare acme/site with https://example.test/a?b=c, since 2026-01-31; close #17 and tell "the team" at ann@example.test.',
      ),
    ).toEqual([
      ['repository', 'acme/site'],
      ['link', 'https://example.test/a?b=c'],
      ['date', '2026-01-31'],
      ['number', '#17'],
      ['quote', 'the team'],
      ['email', 'ann@example.test'],
    ]);
  });

  it('are each named once, not found within another, and few', () => {
    expect(proposed('Read https://example.test/acme/site and https://example.test/acme/site.')).toEqual([
      ['link', 'https://example.test/acme/site'],
    ]);
    expect(proposed('Summarize the news')).toEqual([]);
    expect(proposed('Look into /workspace/a and ./b/c')).toEqual([]);
    expect(proposed(Array.from({ length: 20 }, (_, n) => `#${n}`).join(' '))).toHaveLength(8);
  });

  it('keep what stood there as their default, wherever it stands', () => {
    const objective = putField('Read $&/a, then $&/a again', '$&/a', 'repository');
    expect(findVariables(objective)).toEqual([{ name: 'repository', byDefault: '$&/a' }]);
    expect(objective).toBe('Read {{repository:$&/a}}, then {{repository:$&/a}} again');
  });

  it('have names that are not taken', () => {
    expect([nameField('date', []), nameField('date', ['date']), nameField('date', ['date', 'date 2'])]).toEqual([
      'date',
      'date 2',
      'date 3',
    ]);
  });
});
