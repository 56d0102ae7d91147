// Formulas for the parser: `$…$`, `$$…$$`, `\(…\)` and `\[…\]` in a line, `$$` and `\[` over several lines. A dollar
// sign is money far more often than mathematics, so `$…$` is taken only where nothing speaks against it.
import type { MarkdownIt } from 'markdown-it';

type BlockRule = Parameters<MarkdownIt['block']['ruler']['push']>[1];
type InlineRule = Parameters<MarkdownIt['inline']['ruler']['push']>[1];

/** "5 million, or 6" between two dollar signs: begins with an amount and has words in it. */
const MONEY = /^\d[^\\^_={}]*\p{L}{2}[^\\^_={}]*$/u;
/** An escaped bracket is also how one writes a bracket. */
const MATHEMATICS = /[\\^_={}<>+*/|-]/;
const WORD = /[\p{L}\p{N}$]/u;
/** No formula in a line is longer; what is only a stray delimiter does not search a whole text. */
const LONGEST = 2_000;
const MOST_LINES = 200;

const OPENERS = [
  { open: '$$', close: '$$', display: true },
  { open: '$', close: '$', display: false },
  { open: '\\(', close: '\\)', display: false },
  { open: '\\[', close: '\\]', display: true },
] as const;

export interface FoundFormula {
  readonly value: string;
  readonly display: boolean;
  readonly end: number;
}

/** The formula that begins at `at`. */
export function findFormula(text: string, at: number): FoundFormula | undefined {
  const opener = openerAt(text, at);
  if (opener === undefined) return undefined;
  const start = at + opener.open.length;
  for (let end = start; end < Math.min(text.length, at + LONGEST); end++) {
    if (text.startsWith(opener.close, end) && end > start) {
      const value = text.slice(start, end);
      const found = { value: value.trim(), display: opener.display, end: end + opener.close.length };
      return isFormula(value, opener.open, text.charAt(found.end)) ? found : undefined;
    }
    if (text[end] === '\\') end += 1;
  }
  return undefined;
}

/** Whether what begins at `at` may yet become a formula, when more text comes. */
export function mayBecomeFormula(text: string, at: number): boolean {
  const opener = openerAt(text, at);
  if (opener === undefined) return false;
  const rest = text.slice(at + opener.open.length);
  if (opener.open !== '$') return opener.open !== '\\[' || rest.length < 3 || MATHEMATICS.test(rest);
  // What is longer, or begins like an amount or a word, has been money or a variable so far.
  return rest === '' || (rest.length < 200 && !/^(?:\s|[\d.,]+(?:\s|$)|\p{L}{2})/u.test(rest) && !rest.includes('$'));
}

function openerAt(text: string, at: number): (typeof OPENERS)[number] | undefined {
  const opener = OPENERS.find(({ open }) => text.startsWith(open, at));
  if (opener === undefined || text[at] === '\\') return opener;
  return (at > 0 && WORD.test(text.charAt(at - 1))) || text.startsWith('$$$', at) ? undefined : opener;
}

function isFormula(value: string, open: string, after: string): boolean {
  if (value.trim() === '') return false;
  if (open === '\\[') return MATHEMATICS.test(value);
  return open !== '$' || !(/^\s|\s$/.test(value) || /\d/.test(after) || MONEY.test(value));
}

const inlineFormula: InlineRule = (state, silent) => {
  const found = findFormula(state.src, state.pos);
  if (found === undefined || found.end > state.posMax) return false;
  if (!silent) {
    const token = state.push('formula', '', 0);
    token.content = found.value;
    token.markup = state.src.slice(state.pos, found.end);
    token.meta = { display: found.display };
  }
  state.pos = found.end;
  return true;
};

/** A formula may end with the punctuation of its sentence. */
const BLOCK_ENDS = { $$: /\$\$([.,;:]?)\s*$/, '\\[': /\\\]([.,;:]?)\s*$/ } as const;

/** A formula that stands alone, whose lines are no lists or headings. Without its end it is one only while it grows. */
const blockFormula: BlockRule = (state, startLine, endLine, silent) => {
  const lineOf = (line: number): string =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
  const indentOf = (line: number): number => (state.sCount[line] ?? 0) - state.blkIndent;
  const first = lineOf(startLine);
  const open = first.slice(0, 2);
  if ((open !== '$$' && open !== '\\[') || indentOf(startLine) > 3) return false;
  const end = BLOCK_ENDS[open];
  const rest = first.slice(2);
  // `$$x$$ and more` is a sentence, `\[x` without mathematics a bracket.
  const closesAtOnce = end.test(rest);
  const isAside = rest.includes(open === '$$' ? '$$' : '\\]') || !MATHEMATICS.test(rest);
  if (closesAtOnce ? rest.replace(end, '').includes('$$') : rest.trim() !== '' && isAside) return false;
  const lines = [rest];
  let line = startLine + 1;
  const most = Math.min(endLine, startLine + MOST_LINES);
  while (!end.test(lines.at(-1) ?? '') && line < most && (indentOf(line) >= 0 || state.isEmpty(line)))
    lines.push(state.getLines(line++, line, state.blkIndent, false));
  const mark = end.exec(lines.at(-1) ?? '')?.[1];
  const value = lines.join('\n').replace(end, '').trim();
  if (mark === undefined ? state.env.isEnd !== true : value === '') return false;
  if (silent) return true;
  const token = state.push('formula_block', '', 0);
  token.content = value + (mark ?? '');
  token.markup = lines.join('\n');
  token.meta = { isOpen: mark === undefined };
  token.map = [startLine, line];
  state.line = line;
  return true;
};

export function formulaRules(md: MarkdownIt): void {
  md.inline.ruler.before('escape', 'formula', inlineFormula);
  md.block.ruler.before('fence', 'formula_block', blockFormula, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  });
}
