import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, parseBlocks } from './parse-blocks.ts';
import { type Inline, parseInline } from './parse-inline.ts';
import { safeHref } from './safe-href.ts';
import { splitBlocks } from './split-blocks.ts';

/** A tree in one line, to compare at a glance. */
function show(node: Block | Inline): string {
  switch (node.type) {
    case 'text':
      return node.text;
    case 'break':
      return '<br>';
    case 'rule':
      return '<hr>';
    case 'code':
      return 'language' in node ? `code(${node.language}:${node.text})` : `\`${node.text}\``;
    case 'link':
      return `link(${node.href} ${all(node.children)})`;
    case 'heading':
      return `h${node.level}(${all(node.children)})`;
    case 'quote':
      return `quote(${all(node.blocks)})`;
    case 'list':
      return `${node.ordered ? `ol${node.start}` : 'ul'}(${node.items.map(all).join('; ')})`;
    case 'table':
      return `table[${node.aligns.map((align) => align ?? '-').join(',')}](${[node.head, ...node.rows].map((row) => row.map(all).join('|')).join(' / ')})`;
    default:
      return `${node.type}(${all(node.children)})`;
  }
}
const all = (nodes: readonly (Block | Inline)[]): string => nodes.map(show).join('');
const blocks = (text: string): string[] => parseBlocks(text).map(show);
const inline = (text: string): string => all(parseInline(text));

describe('blocks of markdown', () => {
  it.each([
    ['# One\ntext', ['h1(One)', 'paragraph(text)']],
    ['### Three ###', ['h3(Three)']],
    ['#hashtag', ['paragraph(#hashtag)']],
    ['a\nb\n\nc', ['paragraph(a\nb)', 'paragraph(c)']],
    ['---', ['<hr>']],
    ['> a\n> > b\n\nc', ['quote(paragraph(a)quote(paragraph(b)))', 'paragraph(c)']],
    ['- a\n- b\n  - c\n- d', ['ul(paragraph(a); paragraph(b)ul(paragraph(c)); paragraph(d))']],
    ['text:\n- a\n- b', ['paragraph(text:)', 'ul(paragraph(a); paragraph(b))']],
    ['3. a\n4. b\n\n5. c', ['ol3(paragraph(a); paragraph(b); paragraph(c))']],
    ['1. a\n\n   more\n\nafter', ['ol1(paragraph(a)paragraph(more))', 'paragraph(after)']],
    ['1. a\n   ```js\n   x\n   ```\n2. b', ['ol1(paragraph(a)code(js:x); paragraph(b))']],
    ['In the year\n1984. It was.', ['paragraph(In the year\n1984. It was.)']],
    [
      '```ts title\nconst a = "<b>";\n\n# no heading\n```\nafter',
      ['code(ts:const a = "<b>";\n\n# no heading)', 'paragraph(after)'],
    ],
    ['~~~\n```\n~~~', ['code(:```)']],
    ['```py\nstill being written', ['code(py:still being written)']],
    ['``` a `b` ```', ['paragraph(`a `b``)']],
    ['| a | b |\n|---|:-:|\n| 1 | **2** |\n| 3 \\| 4 |', ['table[-,center](a|b / 1|strong(2) / 3 | 4|)']],
    ['a | b\nno table', ['paragraph(a | b\nno table)']],
    ['<script>alert(1)</script>', ['paragraph(<script>alert(1)</script>)']],
  ])('%j', (text, expected) => {
    expect(blocks(text)).toEqual(expected);
  });
});

describe('inline markdown', () => {
  it.each([
    ['**a** and *b* and ~~c~~', 'strong(a) and emphasis(b) and strike(c)'],
    ['__a__ _b_ snake_case_name', 'strong(a) emphasis(b) snake_case_name'],
    ['***both***', 'strong(emphasis(both))'],
    ['**a *b* c**', 'strong(a emphasis(b) c)'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['an open **star', 'an open **star'],
    ['`a*b*` and `` ` ``', '`a*b*` and ```'],
    ['an open `tick', 'an open `tick'],
    ['\\*not\\* \\_this\\_', '*not* _this_'],
    ['[a](https://a.example/x "t")', 'link(https://a.example/x a)'],
    ['[**a**](https://a.example/(b))', 'link(https://a.example/(b) strong(a))'],
    ['![cat](https://a.example/cat.png)', 'link(https://a.example/cat.png cat)'],
    ['see https://a.example/b?c=d. Then', 'see link(https://a.example/b?c=d https://a.example/b?c=d). Then'],
    ['(https://a.example/b_(c))', '(link(https://a.example/b_(c) https://a.example/b_(c)))'],
    ['<https://a.example/>', 'link(https://a.example/ https://a.example/)'],
    ['a  \nb\\\nc\nd', 'a<br>b<br>c\nd'],
    [
      '[x](javascript:alert(1)) [y](/settings) [z](data:text/html,x)',
      '[x](javascript:alert(1)) [y](/settings) [z](data:text/html,x)',
    ],
  ])('%j', (text, expected) => {
    expect(inline(text)).toBe(expected);
  });

  it.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '/settings',
    '//evil.example',
    'x',
    '',
  ])('links to no %j', (target) => {
    expect(safeHref(target)).toBeUndefined();
  });
});

describe('any model output', () => {
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
    'https://a.example',
    '\\',
    '  ',
    '\t',
    '# ',
    'word',
    '😀',
    '<b>',
  );
  const text = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(''));

  it('is parsed without losing a word', () => {
    // The rest of a line that opens code, cells too many and addresses are not shown as text.
    const shown = text.filter((source) => !/```|~~~|\||\]\(/.test(source));
    fc.assert(
      fc.property(shown, (source) => {
        const drawn = parseBlocks(source).map(textOf).join('');
        for (const word of ['word', '😀']) expect(drawn.split(word).length).toBe(source.split(word).length);
      }),
    );
  });

  it('keeps its earlier blocks while it grows', () => {
    fc.assert(
      fc.property(text, fc.nat(), (source, cut) => {
        const early = splitBlocks(source.slice(0, cut % (source.length + 1)));
        const late = splitBlocks(source);
        // The last two may still grow together; nothing before them changes.
        expect(late.slice(0, Math.max(0, early.length - 2))).toEqual(early.slice(0, Math.max(0, early.length - 2)));
      }),
    );
  });

  it.each(['*', '_', '**', '`', '[', '![', '](', '> ', '- ', '|', '<', '\\', '((', '~~', '``` `', 'a*', '[a](', '1. '])(
    'takes a run of %j without getting stuck',
    (piece) => {
      expect(parseBlocks(piece.repeat(20_000)).length).toBeGreaterThan(0);
      expect(parseBlocks(`${piece}\n`.repeat(5_000)).length).toBeGreaterThan(0);
    },
  );
});

function textOf(node: Block | Inline): string {
  if ('text' in node) return node.text;
  if (node.type === 'list') return node.items.flat().map(textOf).join('');
  if (node.type === 'quote') return node.blocks.map(textOf).join('');
  if (node.type === 'table') return [node.head, ...node.rows].flat(2).map(textOf).join('');
  return 'children' in node ? node.children.map(textOf).join('') : '';
}
