import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { streamMarkdown } from './stream-markdown.ts';

const screen = { columns: 40, paint: (colour: string, text: string) => `<${colour}>${text}</>` };

function render(pieces: readonly string[], on = screen): string {
  let printed = '';
  const stream = streamMarkdown((text) => (printed += text), on);
  for (const piece of pieces) stream.push(piece);
  stream.end();
  return printed;
}

const SAMPLE = `# Plans

A **bold** start, with \`code\`, *care* and a [link](https://example.test/a).
The second line of a snake_case_name goes on for longer than the screen is wide.

1. First
2. Second with **weight**
   - nested *item*

   and a paragraph of it
3. Third

- one
- two

> A quote, with
> two lines

\`\`\`js
const a = 1; // **not bold**

done();
\`\`\`

| name | price |
|---|---|
| apple | 1 |
| pear | 22 |

---

5 * 3 is not emphasis, nor is a lone * or \\*this\\*.`;

describe('Markdown on a terminal', () => {
  it('shows headings, emphasis, lists, quotes, code, tables and rules', () => {
    expect(render([SAMPLE])).toBe(`<underline><bold>Plans</></>

A <bold>bold</> start, with <cyan>code</>, <italic>care</> and a <underline>link</>
<dim>(https://example.test/a)</>. The second
line of a snake_case_name goes on for
longer than the screen is wide.

1. First
2. Second with <bold>weight</>
   • nested <italic>item</>

   and a paragraph of it
3. Third

• one
• two

<dim>│</> A quote, with two lines

<dim>\`\`\`js</>
<cyan>const a = 1; // **not bold**</>
<cyan></>
<cyan>done();</>
<dim>\`\`\`</>

<bold>name   price</>
apple  1
pear   22

<dim>────────────────────────────────────────</>

5 * 3 is not emphasis, nor is a lone *
or *this*.
`);
  });

  it('prints the same whatever the pieces are', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(SAMPLE.length), { maxLength: 30 }), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), SAMPLE.length];
        const pieces = at.slice(1).map((end, i) => SAMPLE.slice(at[i], end));
        expect(render(pieces)).toBe(render([SAMPLE]));
      }),
    );
    expect(render([...SAMPLE])).toBe(render([SAMPLE]));
  });

  it('loses no word of any text, and never fails', () => {
    const bit = fc.constantFrom(
      'word',
      ' ',
      '\n',
      '\n\n',
      '*',
      '**',
      '_',
      '`',
      '```',
      '- ',
      '1. ',
      '> ',
      '# ',
      '[a]',
      '(b)',
      '    ',
    );
    const plain = { columns: 40, paint: (_: string, text: string) => text };
    fc.assert(
      fc.property(fc.array(bit, { maxLength: 40 }), (bits) => {
        const words = (text: string): number => stripVTControlCharacters(text).split('word').length;
        expect(words(render(bits, plain))).toBe(words(bits.join('')));
      }),
      { numRuns: 1_000 },
    );
  });

  it('shows the words of a paragraph as they arrive, but no mark whose other half is missing', () => {
    let printed = '';
    const stream = streamMarkdown((text) => (printed += text), screen);
    const after = (text: string): string => {
      stream.push(text);
      return printed;
    };
    expect(after('Hello th')).toBe('Hello');
    expect(after('ere **bo')).toBe('Hello there');
    expect(after('ld words** are')).toBe('Hello there <bold>bold</> <bold>words</>');
    expect(after(' here\n\n```sh\nls -l')).toBe('Hello there <bold>bold</> <bold>words</> are here\n\n<dim>```sh</>');
    expect(after('\n')).toMatch(/\n<cyan>ls -l<\/>$/);
  });
});
