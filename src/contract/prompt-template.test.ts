import { describe, expect, it } from 'vitest';
import { fillPrompt, findVariables, suggestPromptName } from './prompt-template.ts';

describe('the variables of a prompt', () => {
  it('are found once each, in order, with their defaults', () => {
    expect(findVariables('Translate {{text}} to {{language:German}}, keep {{ text }} short. {{tone: }}')).toEqual([
      { name: 'text', byDefault: undefined },
      { name: 'language', byDefault: 'German' },
      { name: 'tone', byDefault: '' },
    ]);
    expect(findVariables('{{a}} {{a:one}} {{a:two}}')).toEqual([{ name: 'a', byDefault: 'one' }]);
    expect(findVariables('{{Ziel Sprache}} {{größe_2}}').map(({ name }) => name)).toEqual(['Ziel Sprache', 'größe_2']);
  });

  it.each([
    '{text}',
    '{{}}',
    '{{ }}',
    '{{:a}}',
    '{{1}}',
    '{{a.b}}',
    '{{#if a}}',
    '{{a',
    'a}}',
    `{{${'x'.repeat(51)}}}`,
  ])('do not include %s, which stays as it is', (text) => {
    expect(findVariables(text)).toEqual([]);
    expect(fillPrompt(text, { a: 'x', text: 'x', '1': 'x' })).toBe(text);
  });

  it('take what is filled in, then the default, then nothing', () => {
    const text = 'Say {{word}} in {{language:German}} to {{who}}.';
    expect(fillPrompt(text, { word: 'hello', language: '', who: undefined })).toBe('Say hello in German to .');
    expect(fillPrompt(text, { language: 'French', who: 'Ann' })).toBe('Say  in French to Ann.');
  });

  it('are filled once: what is filled in is not read again', () => {
    expect(fillPrompt('{{a}} {{b:$&}}', { a: '{{b}} $1 $&' })).toBe('{{b}} $1 $& $&');
    expect(fillPrompt('{{constructor}} {{toString}}', {})).toBe(' ');
  });

  it('are found in time on hostile text', () => {
    expect(findVariables(`${'{{a '.repeat(20_000)}${'{{'.repeat(20_000)}`)).toEqual([]);
  });
});

it('a name is suggested from the first words', () => {
  expect(suggestPromptName('Übersetze {{text}} ins Englische, bitte!')).toBe('ubersetze-ins-englische-bitte');
  expect(suggestPromptName('{{a}} !!')).toBe('');
  expect(suggestPromptName('supercalifragilistic expialidocious supercalifragilistic x').length).toBeLessThanOrEqual(
    48,
  );
});
