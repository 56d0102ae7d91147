import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Markdown } from './markdown.tsx';
import { markdownToText } from './to-text.ts';
import { safeHref } from './safe-href.ts';

const page = (...texts: string[]): string => {
  const html = renderToStaticMarkup(
    <MantineProvider>
      {texts.map((text) => (
        <Markdown key={text} text={text} below={2} />
      ))}
    </MantineProvider>,
  );
  return html.slice(html.indexOf('<div class="markdown">'));
};
const inner = (text: string): string => page(text).slice('<div class="markdown">'.length, -'</div>'.length);
const link = (href: string, text: string, title = ''): string =>
  `<a href="${href}"${title} target="_blank" rel="noopener noreferrer nofollow">${text}</a>`;

describe('what GitHub adds', () => {
  it.each([
    [
      'See [1] and [docs](https://a.example/), arr[0]',
      `<p dir="auto">See [1] and ${link('https://a.example/', 'docs')}, arr[0]</p>`,
    ],
    ['~~old~~', '<p dir="auto"><del>old</del></p>'],
    [
      'at https://a.example/b?c=d. Then',
      `<p dir="auto">at ${link('https://a.example/b?c=d', 'https://a.example/b?c=d')}. Then</p>`,
    ],
    ['open notes.md', '<p dir="auto">open notes.md</p>'],
    [
      '1. a\n2. b\n\n- c',
      '<ol start="1"><li dir="auto">a</li><li dir="auto">b</li></ol><ul><li dir="auto">c</li></ul>',
    ],
    ['3. a\n4. b', '<ol start="3"><li dir="auto">a</li><li dir="auto">b</li></ol>'],
    [
      '- [x] a\n- [ ] b',
      '<ul><li dir="auto" class="task"><input type="checkbox" disabled="" readOnly="" aria-label="Done" checked=""/> a</li><li dir="auto" class="task"><input type="checkbox" disabled="" readOnly="" aria-label="Not done"/> b</li></ul>',
    ],
    [
      '| a | b |\n|---|:-:|\n| 1<br>2 | \\| |',
      '<div class="markdown-table" dir="auto" tabindex="0"><table><thead><tr><th scope="col">a</th><th scope="col" dir="auto" data-align="center">b</th></tr></thead><tbody><tr><td>1<br/>2</td><td data-align="center">|</td></tr></tbody></table></div>',
    ],
    ['Big\n===\n\nSmall\n---', '<h3 dir="auto" data-level="1">Big</h3><h4 dir="auto" data-level="2">Small</h4>'],
  ])('%j', (text, expected) => {
    expect(inner(text)).toBe(expected);
  });

  it('numbers footnotes in the order of their mention, with ids that no other message has', () => {
    const text = 'One[^b] two[^a] one[^b].\n\n[^a]: A\n\n[^b]: B\n\n[^c]: never mentioned';
    const html = page(text, `${text} `);
    expect(
      html
        .match(/data-note="\d"[^>]*>\d/g)
        ?.map((mark) => mark.at(-1))
        .join(''),
    ).toBe('121121');
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(4);
    expect(html).not.toContain('never mentioned');
  });
});

describe('model output', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<iframe src="https://evil.example"></iframe>',
    '<a href="https://evil.example" onclick="x()">a</a>',
    '![p](https://evil.example/p.png?q=secret)',
    '![p](data:image/png;base64,AAAA)',
    '![p](/api/me)',
    '<br onclick="x()">',
    '| <style>*{}</style> |\n|---|',
  ])('makes no element of %j that loads or runs anything', (text) => {
    expect(inner(text)).not.toMatch(/<(?:script|img|iframe|style|object|embed|svg)\b|<[^>]* (?:on\w+|src)=/);
  });

  it('shows an image as a link, and as its text if it may not be one', () => {
    expect(inner('![cat](https://a.example/cat.png "T")')).toBe(
      `<p dir="auto">${link('https://a.example/cat.png', 'cat', ' title="T"')}</p>`,
    );
    expect(inner('![cat](data:image/png;base64,AAAA) ![dog](/dog.png)')).toBe('<p dir="auto">cat dog</p>');
    expect(inner('[![cat](https://a.example/cat.png)](https://b.example/)')).toBe(
      `<p dir="auto">${link('https://b.example/', 'cat')}</p>`,
    );
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
    expect(inner(`[a](<${target.trim()}>)`)).not.toContain('href');
  });
});

describe('direction', () => {
  it.each([
    ['> quoted\n>\n> more', '<blockquote dir="auto"><p>quoted</p><p dir="auto">more</p></blockquote>'],
    ['> - one\n> - two', '<blockquote dir="auto"><ul><li>one</li><li dir="auto">two</li></ul></blockquote>'],
    ['- one\n\n  more', '<ul><li dir="auto"><p>one</p><p dir="auto">more</p></li></ul>'],
    ['`a` and $', '<p dir="auto"><code dir="ltr">a</code> and $</p>'],
    [
      '| a | b |\n|---|---|\n| c | 1 |',
      '<div class="markdown-table" dir="auto" tabindex="0"><table><thead><tr><th scope="col">a</th><th scope="col" dir="auto">b</th></tr></thead><tbody><tr><td dir="auto">c</td><td>1</td></tr></tbody></table></div>',
    ],
  ])(
    'is that of the first letter of each block, and of the first block for what is around it: %j',
    (text, expected) => {
      expect(inner(text)).toBe(expected);
    },
  );
});

it('is copied as the text that one reads', () => {
  expect(
    markdownToText(
      '# Title\n\nSome **bold** `code` and [docs](https://a.example/).[^1]\n\n1. one\n   - [x] done\n2. two\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nlet a;\n```\n\n[^1]: A *note*.',
    ),
  ).toBe(
    'Title\n\nSome bold code and docs (https://a.example/).[1]\n\n1. one\n   - [x] done\n2. two\n\n> quoted\n\na\tb\n1\t2\n\nlet a;\n\n[1] A note.',
  );
});
