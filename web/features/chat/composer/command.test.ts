import { describe, expect, it } from 'vitest';
import type { Prompt } from '../../../../src/contract/prompts.ts';
import { findCommand, offerPrompts, putPrompt } from './command.ts';

const prompt = (name: string, text = ''): Prompt => ({
  id: name,
  name,
  text,
  createdBy: { id: 'u', name: 'Ann' },
  createdAt: '',
  updatedAt: '',
  editable: true,
});

describe('a saved prompt in a message', () => {
  it('is named by the first word, after a slash, while the caret is in it', () => {
    expect(findCommand('/', 1)).toBe('');
    expect(findCommand('/Tra', 4)).toBe('tra');
    expect(findCommand('/tra more', 4)).toBe('tra');
    for (const [text, caret] of [
      ['/tra more', 6],
      [' /tra', 5],
      ['a /tra', 6],
      ['/etc/hosts', 10],
      ['/a.b', 4],
      ['', 0],
    ] as const)
      expect([text, findCommand(text, caret)]).toEqual([text, undefined]);
  });

  it('is offered by the beginning of its name first, then by what it contains', () => {
    const all = [prompt('a', 'to translate'), prompt('retranslate'), prompt('translate'), prompt('b', 'no')];
    expect(offerPrompts(all, 'trans').map(({ name }) => name)).toEqual(['translate', 'retranslate', 'a']);
    expect(
      offerPrompts(
        Array.from({ length: 20 }, (_, at) => prompt(`p${at}`)),
        '',
      ),
    ).toHaveLength(8);
  });

  it('replaces what was typed and keeps what follows', () => {
    expect(putPrompt('/tra', 'tra', 'Translate: ')).toEqual({ text: 'Translate: ', caret: 10 });
    expect(putPrompt('/tra\nthis', 'tra', 'Translate:\n')).toEqual({ text: 'Translate:\n\nthis', caret: 10 });
  });
});
