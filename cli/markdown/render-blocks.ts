// Markdown for a terminal: blocks as lines that fit its width. Everything but colours is in the text, so that what is
// copied from the screen makes sense.
import createMarkdownIt, { type Token } from 'markdown-it';
import { fitTable } from '../fit-table.ts';
import type { Colour } from '../output.ts';

export interface Screen {
  readonly columns: number;
  paint(colour: Colour, text: string): string;
}

const md = createMarkdownIt({ html: false, maxNesting: 60 });
// A line of === below a paragraph would change what has already been printed.
md.disable('lheading');

const NARROWEST = 20;
const RULE = 40;

export function renderBlocks(source: string, screen: Screen): string[] {
  return toLines(md.parse(source, {}), screen);
}

/** The text of a paragraph, wrapped. */
export function renderInline(source: string, screen: Screen): string[] {
  return wrapWords(md.parseInline(source, {})[0]?.children ?? [], screen);
}

function toLines(tokens: readonly Token[], screen: Screen): string[] {
  const lines: string[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (!token) break;
    const end = token.nesting === 1 ? closingOf(tokens, i) : i;
    const inner = tokens.slice(i + 1, end);
    // Blocks of a loose list or a quote keep their distance.
    if (lines.length > 0 && !token.hidden && isSpaced(token)) lines.push('');
    lines.push(...renderToken(token, inner, screen));
    i = end;
  }
  return lines;
}

function isSpaced({ type }: Token): boolean {
  return type === 'paragraph_open' || type === 'fence' || type === 'heading_open' || type === 'table_open';
}

function renderToken(token: Token, inner: readonly Token[], screen: Screen): string[] {
  switch (token.type) {
    case 'heading_open': {
      const styles: Colour[] = token.tag === 'h1' ? ['bold', 'underline'] : ['bold'];
      return wrapWords(inner[0]?.children ?? [], screen, styles);
    }
    case 'paragraph_open':
      return wrapWords(inner[0]?.children ?? [], screen);
    case 'bullet_list_open':
      return itemsOf(inner).flatMap((item) => prefixed('• ', item, screen));
    case 'ordered_list_open': {
      const first = Number(token.attrGet('start') ?? 1);
      return itemsOf(inner).flatMap((item, i) => prefixed(`${first + i}. `, item, screen));
    }
    case 'blockquote_open': {
      const bar = `${screen.paint('dim', '│')} `;
      return toLines(inner, narrower(screen, 2)).map((line) => bar + line);
    }
    case 'fence': {
      const code = token.content.replace(/\n$/, '').split('\n');
      return [
        screen.paint('dim', token.markup + token.info.trim()),
        ...code.map((line) => screen.paint('cyan', line)),
        screen.paint('dim', token.markup),
      ];
    }
    case 'code_block':
      return token.content
        .trimEnd()
        .split('\n')
        .map((line) => screen.paint('cyan', line));
    case 'table_open':
      return renderTable(inner, screen);
    case 'hr':
      return [screen.paint('dim', '─'.repeat(Math.min(RULE, screen.columns)))];
    default:
      return token.content === '' ? [] : [token.content];
  }
}

function closingOf(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    depth += tokens[i]?.nesting ?? 0;
    if (depth === 0) return i;
  }
  return tokens.length;
}

function itemsOf(inner: readonly Token[]): (readonly Token[])[] {
  const items: (readonly Token[])[] = [];
  for (let i = 0; i < inner.length; i++) {
    const end = closingOf(inner, i);
    items.push(inner.slice(i + 1, end));
    i = end;
  }
  return items;
}

function prefixed(marker: string, item: readonly Token[], screen: Screen): string[] {
  const indent = ' '.repeat(marker.length);
  const lines = toLines(item, narrower(screen, marker.length));
  return (lines.length === 0 ? [''] : lines).map((line, i) =>
    i === 0 ? marker + line : line === '' ? '' : indent + line,
  );
}

function narrower(screen: Screen, by: number): Screen {
  return { columns: Math.max(NARROWEST, screen.columns - by), paint: screen.paint };
}

/** Cells are plain: a colour would not survive being wrapped. */
function renderTable(inner: readonly Token[], screen: Screen): string[] {
  const rows: string[][] = [];
  for (const token of inner) {
    if (token.type === 'tr_open') rows.push([]);
    else if (token.type === 'inline') rows.at(-1)?.push(plainText(token.children ?? []));
  }
  const [heads = [], ...body] = rows;
  const { lines, headLines } = fitTable(heads, body, screen.columns);
  return lines.map((line, i) => (i < headLines ? screen.paint('bold', line) : line));
}

function plainText(tokens: readonly Token[]): string {
  return tokens.map(({ type, content }) => (type.endsWith('break') ? ' ' : content)).join('');
}

const STYLES: Readonly<Record<string, Colour>> = {
  strong_open: 'bold',
  em_open: 'italic',
  s_open: 'dim',
  link_open: 'underline',
};

/** Pieces of words with their styles; a space or a line break ends a word. */
function wrapWords(tokens: readonly Token[], screen: Screen, outer: readonly Colour[] = []): string[] {
  const lines: string[] = [];
  let [line, width] = ['', 0];
  let [word, wordWidth] = ['', 0];
  const endWord = (): void => {
    if (wordWidth === 0) return;
    if (width > 0 && width + 1 + wordWidth > screen.columns) {
      lines.push(line);
      [line, width] = ['', 0];
    }
    [line, width] = width === 0 ? [word, wordWidth] : [`${line} ${word}`, width + 1 + wordWidth];
    [word, wordWidth] = ['', 0];
  };
  const add = (text: string, styles: readonly Colour[]): void => {
    text.split(/[ \t\n]+/).forEach((piece, i) => {
      if (i > 0) endWord();
      if (piece === '') return;
      word += styles.reduce((painted, style) => screen.paint(style, painted), piece);
      wordWidth += piece.length;
    });
  };
  walkInline(tokens, outer, add, () => {
    endWord();
    lines.push(line);
    [line, width] = ['', 0];
  });
  endWord();
  return width > 0 ? [...lines, line] : lines;
}

function walkInline(
  tokens: readonly Token[],
  outer: readonly Colour[],
  add: (text: string, styles: readonly Colour[]) => void,
  breakLine: () => void,
): void {
  const styles = [...outer];
  const links: { href: string; text: string }[] = [];
  for (const token of tokens) {
    const link = links.at(-1);
    if (link) link.text += token.content;
    if (token.type === 'softbreak') add(' ', styles);
    else if (token.type === 'hardbreak') breakLine();
    else if (token.type === 'code_inline') add(token.content, [...styles, 'cyan']);
    else if (token.type === 'image') add(`[image: ${token.content}] (${token.attrGet('src') ?? ''})`, styles);
    else if (token.nesting === 1) {
      styles.push(STYLES[token.type] ?? 'bold');
      if (token.type === 'link_open') links.push({ href: String(token.attrGet('href') ?? ''), text: '' });
    } else if (token.nesting === -1) {
      styles.pop();
      const ended = token.type === 'link_close' ? links.pop() : undefined;
      if (ended && ended.href !== ended.text) add(` (${ended.href})`, [...styles, 'dim']);
    } else add(token.content, styles);
  }
}
