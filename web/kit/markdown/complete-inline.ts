// The end of a growing text, as it will look: emphasis and code that are open are closed, and a link, image or formula
// without its end is shown without its marks or held back.
import { findFormula, mayBecomeFormula } from './formula-rules.ts';

/** What is longer without its end is no link. */
const LONGEST_LINK = 2_000;

interface Scan {
  readonly text: string;
  at: number;
  /** What has to be appended, the last first. */
  readonly open: string[];
  /** Where the shown text ends. */
  end: number;
  /** Ranges that are left out. */
  readonly dropped: [number, number][];
}

export function completeInline(content: string): string {
  // A run at the end may be half of one; if it closes something, so does what is appended.
  const text = content.replace(/[*_~\\]+\s*$/, '');
  const scan: Scan = { text, at: 0, open: [], end: text.length, dropped: [] };
  while (scan.at < scan.end) step(scan);
  let shown = '';
  let from = 0;
  for (const [start, end] of scan.dropped) {
    shown += text.slice(from, start);
    from = end;
  }
  shown += text.slice(from, scan.end);
  return shown.trimEnd() + (shown.trim() === '' ? '' : scan.open.toReversed().join(''));
}

function step(scan: Scan): void {
  const { text, at } = scan;
  const formula = findFormula(text, at);
  if (formula !== undefined) {
    scan.at = formula.end;
    return;
  }
  if (mayBecomeFormula(text, at)) {
    scan.end = at;
    return;
  }
  scan.at = at + 1;
  switch (text[at]) {
    case '\\':
      scan.at = at + 2;
      break;
    case '`':
      stepCode(scan, at);
      break;
    case '*':
    case '_':
    case '~':
      stepEmphasis(scan, at);
      break;
    case '[':
      stepLink(scan, at);
      break;
    case '<':
      if (/^<(?:b(?:r\s*\/?)?)?$/i.test(text.slice(at, at + 9))) scan.end = at;
      else if (/^<(?:https?:|mailto:)[^\s<>]*$/i.test(text.slice(at))) scan.dropped.push([at, at + 1]);
      break;
    case '&':
      if (/^&#?\w{0,30}$/.test(text.slice(at, at + 40))) scan.end = at;
      break;
    default:
  }
}

function stepCode(scan: Scan, at: number): void {
  const { text } = scan;
  const ticks = /^`+/.exec(text.slice(at))?.[0] ?? '`';
  const start = at + ticks.length;
  const close = new RegExp(`(?<!\`)${ticks}(?!\`)`, 'g');
  close.lastIndex = start;
  const found = close.exec(text);
  scan.at = found === null ? text.length : found.index + ticks.length;
  if (found !== null) return;
  const rest = text.slice(start).replace(/`+$/, '');
  scan.end = rest.trim() === '' ? at : start + rest.trimEnd().length;
  if (rest.trim() !== '') scan.open.push(ticks);
}

function stepEmphasis(scan: Scan, at: number): void {
  const { text, open } = scan;
  const mark = text.charAt(at);
  let length = 1;
  while (text[at + length] === mark) length += 1;
  scan.at = at + length;
  const before = text.charAt(at - 1);
  const after = text.charAt(at + length);
  if (before !== '' && !/\s/.test(before)) {
    for (let last = open.at(-1); last?.[0] === mark && last.length <= length; last = open.at(-1)) {
      open.pop();
      length -= last.length;
    }
  }
  // Inside a word, a star or a line is rarely emphasis.
  if (length === 0 || length > 3 || !/\S/.test(after) || /[\p{L}\p{N}]/u.test(before)) return;
  if (mark === '~') {
    if (length === 2) open.push('~~');
  } else open.push(...(length === 3 ? [mark, mark.repeat(2)] : [mark.repeat(length)]));
}

/** A link without its end is its text; an image without its end is nothing yet. */
function stepLink(scan: Scan, at: number): void {
  const { text } = scan;
  const isImage = text[at - 1] === '!';
  if (!isImage && text[at + 1] !== '^' && /[\p{L}\p{N}\])]/u.test(text.charAt(at - 1))) return;
  const close = findClose(text, at, ['[', ']']);
  if (close === undefined && text.length - at > LONGEST_LINK) return;
  const after = close === undefined ? '' : text.charAt(close + 1);
  const isOpen =
    close === undefined ||
    (after === '' && (isImage || /\p{L}{2}/u.test(text.slice(at, close)))) ||
    (after === '(' && findClose(text, close + 1, ['(', ')']) === undefined) ||
    (after === '[' && !text.includes(']', close + 2));
  if (!isOpen) return;
  if (isImage) scan.end = at - 1;
  else if (text[at + 1] === '^') scan.end = at;
  else {
    scan.dropped.push([at, at + 1]);
    if (close !== undefined) scan.end = close;
  }
}

/** Where the bracket at `at` is closed. */
function findClose(text: string, at: number, [open, close]: readonly [string, string]): number | undefined {
  let depth = 0;
  for (let position = at; position < Math.min(text.length, at + LONGEST_LINK); position++) {
    if (text[position] === '\\') position += 1;
    else if (text[position] === open) depth += 1;
    else if (text[position] === close) depth -= 1;
    if (depth === 0) return position;
  }
  return undefined;
}
