import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReader, type Reading } from './create-reader.ts';
import type { MarkdownNode } from './parse-markdown.ts';

/** A tree in one line, to compare at a glance. */
const show = ({ type, token, children }: MarkdownNode): string => {
  if (type === 'text') return token.content;
  const href = type === 'link' ? ` ${token.attrGet('href')}` : '';
  return `${type}${href}(${children.length === 0 ? token.content : children.map(show).join('')})`;
};
const shown = ({ blocks }: Reading): string => blocks.flatMap(({ nodes }) => nodes.map(show)).join(' ');
const read = (text: string): string => shown(createReader().read(text, false));
/** As it looks while more may come. */
const live = (text: string): string => shown(createReader().read(text, true));

describe('formulas', () => {
  it.each([
    ['costs $5 and $10', 'paragraph(costs $5 and $10)'],
    ['$5-$10, US$5 or 5$', 'paragraph($5-$10, US$5 or 5$)'],
    ['$20k now and 30$ later', 'paragraph($20k now and 30$ later)'],
    ['set $HOME and $PATH', 'paragraph(set $HOME and $PATH)'],
    ['$5 for $x^2$', 'paragraph($5 for formula(x^2))'],
    ['$a_1$, \\(b\\), \\[c=d\\]', 'paragraph(formula(a_1), formula(b), formula(c=d))'],
    ['\\[1\\] is no formula', 'paragraph([1] is no formula)'],
    ['$$x$$ and $$y$$', 'paragraph(formula(x) and formula(y))'],
    ['a\n$$\nx\n+ y\n$$\nb', 'paragraph(a) formula_block(x\n+ y) paragraph(b)'],
    ['- a\n  \\[\n  x = y\n  \\]', 'bullet_list(list_item(paragraph(a)formula_block(x = y)))'],
    ['$$ a = b $$.', 'formula_block(a = b.)'],
    ['$$ never closed\n\n**b**', 'paragraph($$ never closed) paragraph(strong(b))'],
    ['`$a$` and \\$b\\$', 'paragraph(code_inline($a$) and $b$)'],
  ])('%j', (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe('the end of a growing text', () => {
  it.each([
    ['**bold', 'paragraph(strong(bold))'],
    ['**bold*', 'paragraph(strong(bold))'],
    ['***a', 'paragraph(em(strong(a)))'],
    ['2 * 3 and a*b', 'paragraph(2 * 3 and a*b)'],
    ['~~gone', 'paragraph(s(gone))'],
    ['say `co', 'paragraph(say code_inline(co))'],
    ['see [the docs](https://a.ex', 'paragraph(see the docs)'],
    ['see [the do', 'paragraph(see the do)'],
    ['see [the docs][ref]', 'paragraph(see the docs)'],
    ['a ![pict', 'paragraph(a)'],
    ['arr[0', 'paragraph(arr[0)'],
    ['so $x^2', 'paragraph(so)'],
    ['costs $5 and', 'paragraph(costs $5 and)'],
    ['so \\(a', 'paragraph(so)'],
    ['$$\nx = ', 'formula_block(x =)'],
    ['| a | b', 'table(thead(tr(th(a)th(b))))'],
    ['| a | b |\n|--', 'table(thead(tr(th(a)th(b))))'],
    ['| a |\n|---|\n| **1', 'table(thead(tr(th(a)))tbody(tr(td(strong(1)))))'],
    ['text\n-', 'paragraph(text)'],
    ['text\n---', 'paragraph(text)'],
    ['text\n\n##', 'paragraph(text)'],
    ['- a\n- [ ', 'bullet_list(list_item(paragraph(a)))'],
    ['```type', ''],
    ['```ts\nlet a;\n``', 'fence(let a;)'],
    ['a note[^1]', 'paragraph(a notefootnote_reference(1))'],
    ['a note[^1', 'paragraph(a note)'],
    ['a\n\n[x]: https://a.ex', 'paragraph(a)'],
    ['one<b', 'paragraph(one)'],
    ['a &am', 'paragraph(a)'],
  ])('%j', (text, expected) => {
    expect(live(text)).toBe(expected);
  });
});

const pieces = fc.constantFrom(
  '*',
  '**',
  '_',
  '`',
  '```',
  '~~~',
  '\n',
  '\n\n',
  '- ',
  '1. ',
  '> ',
  '|',
  '|-|',
  '[',
  '](',
  ')',
  '![',
  '<',
  'www.a.example',
  'https://a.example',
  '\\',
  '  ',
  '    ',
  '\t',
  '# ',
  'word',
  '😀',
  '<br>',
  '$',
  '$$',
  '\\(',
  '\\)',
  '[^1]',
  '[^1]: ',
  '[a]: b',
  '[a]',
  '---',
  '===',
  '\n',
  'word ',
  '| a |',
  '\r\n',
);
const text = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(''));

describe('any model output', () => {
  it('is the same at its end, however it arrived', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), (chunks) => {
        const reader = createReader();
        let grown = '';
        for (const chunk of chunks) {
          grown += chunk;
          reader.read(grown, true);
        }
        // What is settled may not depend on where the chunks were cut.
        expect(shown(reader.read(grown, true))).toBe(live(grown));
        expect(shown(reader.read(grown, false))).toBe(read(grown));
      }),
      {
        numRuns: 500,
        examples: [
          // A fence ends with the list around it, and four spaces make none.
          [['- ```\n\n*\n', '*']],
          [['    ~~~\n*\n', '*']],
          // A formula that is never closed is one only while more may come.
          [['> $$\n\n', '*\n']],
        ],
      },
    );
  });

  it('is parsed without losing a word', () => {
    const whole = text.filter((source) => !/```|~~~|\||\[|\$|\\|http/.test(source));
    fc.assert(
      fc.property(whole, (source) => {
        for (const word of ['word', '😀']) expect(read(source).split(word).length).toBe(source.split(word).length);
      }),
    );
  });

  it.each([
    '*',
    '_',
    '**',
    '`',
    '[',
    '![',
    '](',
    '> ',
    '- ',
    '|',
    '<',
    '\\',
    '((',
    '~~',
    'a*',
    '[a](',
    '1. ',
    '$',
    '$a',
    '\\(',
    '\\[',
    '[^1]',
    '[^1]: ',
    '$$',
  ])('takes a run of %j without getting stuck', (piece) => {
    for (const isLive of [false, true])
      for (const source of [piece.repeat(5_000), `${piece}\n`.repeat(2_000)])
        expect(createReader().read(source, isLive).blocks.length).toBeGreaterThanOrEqual(0);
  });
});

describe('a text that grows', () => {
  it('keeps the blocks that can no longer change', () => {
    const reader = createReader();
    const first = reader.read('# A\n\nOne **two**\n\n- a\n', true).blocks;
    const later = reader.read('# A\n\nOne **two**\n\n- a\n- b\n\nMore', true).blocks;
    expect(later.length).toBe(4);
    expect(later[0]).toBe(first[0]);
    expect(later[1]).toBe(first[1]);
    expect(reader.read('# A\n\nOne **two**\n\n- a\n- b\n\nMore and more', true).blocks[0]).toBe(first[0]);
  });

  it('keeps them at the end of the text too, except those with links or footnotes', () => {
    const reader = createReader();
    const text = 'One\n\n```ts\nconst a = [1];\n```\n\nTwo[^1]\n\nThree';
    const grown = reader.read(text, true);
    const whole = reader.read(text, false);
    expect(whole.blocks.map((block, at) => block === grown.blocks[at])).toEqual([true, true, false, false]);
    expect(shown(whole)).toBe(shown(createReader().read(text, false)));
  });

  it('parses those again whose link or footnote is defined later', () => {
    const reader = createReader();
    const start = 'See [Docs] and [^n].\n\nOther\n\nLast\n\n';
    const before = reader.read(start, true).blocks;
    const after = reader.read(`${start}[docs]: https://a.example\n\n[^n]: Note\n\nEnd`, true);
    expect(shown(after)).toContain('link https://a.example(Docs)');
    expect(after.blocks[1]).toBe(before[1]);
    expect(after.noteOrder).toEqual(['N']);
    expect([...after.notes.keys()]).toEqual(['N']);
  });
});
