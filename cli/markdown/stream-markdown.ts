// Prints Markdown while it arrives. What is on the screen is never changed: a paragraph grows by words, code by lines,
// an item of a list or a row of blocks appears when it is complete. The pieces in which the text arrives make no
// difference to what is printed in the end.
import { stripVTControlCharacters } from 'node:util';
import { renderBlocks, renderInline, type Screen } from './render-blocks.ts';
import { stableEnd } from './stable-end.ts';

export interface MarkdownStream {
  push(text: string): void;
  /** Prints what is left, and ends the line. */
  end(): void;
}

const ITEM = /^( {0,3})((?:[-*+]|\d{1,9}[.)])[ \t]+)\S/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
/** A line that begins with one of these may be something else than text. */
const SPECIAL = /^\s*(?:$|[#>*+_~`|=\d-])|^ {4}|^\t/;

type Kind = 'fence' | 'heading' | 'rule' | 'item' | 'quote' | 'table' | 'indented' | 'text';

function kindOf(line: string): Kind {
  if (FENCE.test(line)) return 'fence';
  if (HEADING.test(line)) return 'heading';
  if (RULE.test(line)) return 'rule';
  if (ITEM.test(line)) return 'item';
  if (/^ {0,3}>/.test(line)) return 'quote';
  if (/^ {0,3}\|/.test(line)) return 'table';
  return /^(?: {4}|\t)/.test(line) ? 'indented' : 'text';
}

export function streamMarkdown(write: (text: string) => void, screen: Screen): MarkdownStream {
  /** What is not printed yet, from the start of a block on. */
  let rest = '';
  let ended = false;
  let isFirst = true;
  /** Of the paragraph that is growing. */
  let shown = '';
  /** The mark that ends the code that is being printed. */
  let fence: string | undefined;

  /** Each on a line of its own. */
  const print = (lines: readonly string[]): void => {
    for (const line of lines) {
      write(isFirst ? line : `\n${line}`);
      isFirst = false;
    }
  };

  /** Takes one block or line off the text; false if more text is needed. */
  function step(): boolean {
    if (fence !== undefined) return stepInCode(fence);
    if (shown === '') {
      const [blank = ''] = /^(?:[ \t]*\n)*/.exec(rest) ?? [];
      if (blank !== '') {
        const more = rest.slice(blank.length);
        // Whether anything follows is not known yet.
        if (more.trim() === '') return false;
        rest = more;
        if (!isFirst) write('\n');
      }
      if (rest.trim() === '') return false;
    }
    const lineEnd = rest.indexOf('\n');
    if (shown === '' && lineEnd < 0 && !ended && SPECIAL.test(rest)) return false;
    const line = lineEnd < 0 ? rest : rest.slice(0, lineEnd);
    const kind = shown === '' ? kindOf(line) : 'text';
    if (kind === 'text') return stepInText();
    if (lineEnd < 0 && !ended) return false;
    if (kind === 'fence') {
      const [, mark = ''] = FENCE.exec(line) ?? [];
      fence = mark;
      print([screen.paint('dim', line.trim())]);
      return drop(line.length + 1);
    }
    const size = kind === 'heading' || kind === 'rule' ? line.length : blockEnd(rest, kind, ended);
    if (size === undefined) return false;
    print(renderBlocks(rest.slice(0, size), screen));
    return drop(size + (rest[size] === '\n' ? 1 : 0));
  }

  function drop(size: number): boolean {
    rest = rest.slice(size);
    return rest !== '';
  }

  function stepInCode(mark: string): boolean {
    const lineEnd = rest.indexOf('\n');
    if (lineEnd < 0 && (!ended || rest === '')) return false;
    const line = lineEnd < 0 ? rest : rest.slice(0, lineEnd);
    const closes = line.trim().startsWith(mark) && line.trim() === (mark[0] ?? '').repeat(line.trim().length);
    print([screen.paint(closes ? 'dim' : 'cyan', closes ? line.trim() : line)]);
    if (closes) fence = undefined;
    return drop(line.length + 1);
  }

  /** A paragraph: its settled words, and the rest once it has ended. */
  function stepInText(): boolean {
    const { end, isOver } = textEnd(rest, ended);
    const text = rest.slice(0, end);
    const settled = isOver ? text : text.slice(0, stableEnd(text));
    const lines = renderInline(settled.trim(), screen).join('\n');
    if (lines !== shown && (isOver || lines.startsWith(shown))) {
      if (shown === '') print([lines]);
      else write(lines.startsWith(shown) ? lines.slice(shown.length) : unstyledRest(lines, shown));
      shown = lines;
    }
    if (!isOver) return false;
    shown = '';
    return drop(end + (rest[end] === '\n' ? 1 : 0));
  }

  return {
    push(text) {
      rest += text;
      while (step());
    },
    end() {
      ended = true;
      while (step());
      if (!isFirst) write('\n');
    },
  };
}

/**
 * Where the block ends that begins with the text; undefined if that is not known yet. The blank lines after it belong to
 * what follows.
 */
function blockEnd(rest: string, kind: Kind, ended: boolean): number | undefined {
  const content = kind === 'item' ? (ITEM.exec(rest)?.slice(1).join('').length ?? 0) : 0;
  let isBlankBefore = false;
  for (let at = rest.indexOf('\n') + 1; at > 0; at = rest.indexOf('\n', at) + 1) {
    const end = rest.indexOf('\n', at);
    if (end < 0 && !ended) return undefined;
    const line = end < 0 ? rest.slice(at) : rest.slice(at, end);
    const isBlank = line.trim() === '';
    if (!isBlank && !continues(kind, line, content, isBlankBefore)) return rest.slice(0, at).trimEnd().length;
    if (isBlank && kind !== 'item' && kind !== 'indented') return rest.slice(0, at).trimEnd().length;
    isBlankBefore = isBlank;
  }
  return ended ? rest.length : undefined;
}

/** The lines of the paragraph, as far as they are known to be its own. */
function textEnd(rest: string, ended: boolean): { readonly end: number; readonly isOver: boolean } {
  let end = rest.indexOf('\n');
  while (end >= 0) {
    const from = end + 1;
    const next = rest.indexOf('\n', from);
    const line = next < 0 ? rest.slice(from) : rest.slice(from, next);
    if (next < 0 && !ended && SPECIAL.test(line)) return { end, isOver: false };
    const kind = kindOf(line);
    if (line.trim() === '' || (kind !== 'text' && kind !== 'indented')) return { end, isOver: true };
    end = next;
  }
  return { end: rest.length, isOver: ended };
}

/** For marks that turned out to mean something else than expected: what follows the characters that are shown. */
function unstyledRest(lines: string, shown: string): string {
  return stripVTControlCharacters(lines).slice(stripVTControlCharacters(shown).length);
}

/** Whether a line belongs to the block before it. */
function continues(kind: Kind, line: string, content: number, isBlankBefore: boolean): boolean {
  const own = kindOf(line);
  if (kind === 'quote' || kind === 'table') return own === kind;
  if (kind === 'indented') return own === 'indented';
  const indent = /^ */.exec(line)?.[0].length ?? 0;
  return indent >= content || (!isBlankBefore && own === 'text');
}
