// The last lines of a growing text, as far as it is known what they will be: a lone dash may become a list, a rule or a
// heading, three backticks a language; a row of cells is a table before its second line has come.
import { endsInFence } from './parse-markdown.ts';

const MARKERS = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*/;
const UNDECIDED = /^(?:[-=*+_#>~`]+|\d{1,9}[.)]?|\[[^\]]*\]?(?::.*)?|(?:`{3,}|~{3,})[^`]*|\\\[?|\$\$?)?[ \t]*$/;
const ROW = /^ {0,3}\|/;

export interface HeldBack {
  readonly text: string;
  /** Before this, the text is as it was given. */
  readonly sure: number;
}

export function holdBack(text: string): HeldBack {
  const lines = text.split('\n');
  const last = lines.at(-1) ?? '';
  const start = text.length - last.length;
  const without = { text: text.slice(0, Math.max(0, start - 1)), sure: start };
  if (endsInFence(text)) return /^[ \t>]*(?:`+|~+)[ \t]*$/.test(last) ? without : { text, sure: text.length };
  const isUndecided = last.length < 1_000 && UNDECIDED.test(last.replace(MARKERS, ''));
  const kept = isUndecided ? lines.slice(0, -1) : lines;
  const table = withTable(kept);
  if (table !== undefined) return { text: table.lines.join('\n'), sure: lines.slice(0, table.first).join('\n').length };
  return isUndecided ? without : { text, sure: text.length };
}

/** Gives a row at the end the line that makes it the head of a table. */
function withTable(lines: readonly string[]): { lines: string[]; first: number } | undefined {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const first = lines.findLastIndex((line, at) => at <= last && !ROW.test(line)) + 1;
  if (first > last || last - first > 1) return undefined;
  const inner = (lines[first] ?? '').trim().replace(/^\|/, '').replace(/\|$/, '');
  if (inner.trim() === '') return { lines: lines.slice(0, first), first };
  // A second line that is whole says how the columns are aligned.
  if (last > first && (last < lines.length - 1 || !/^[\s|:-]+$/.test(lines[last] ?? ''))) return undefined;
  // A row that is followed by a blank line is no table.
  if (last === first && last < lines.length - 2) return undefined;
  const columns = inner.split(/(?<!\\)\|/).length;
  return { lines: [...lines.slice(0, first), `|${inner}|`, `|${'---|'.repeat(columns)}`], first };
}
