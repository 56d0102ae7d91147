// The last lines of a growing text, as far as it is known what they will be: a lone dash may become a list, a rule or a
// heading, three backticks a language; a row of cells is a table before its second line has come.

const MARKERS = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*/;
const UNDECIDED = /^(?:[-=*+_#>~`]+|\d{1,9}[.)]?|\[[^\]]*\]?(?::.*)?|(?:`{3,}|~{3,})[^`]*|\\\[?|\$\$?)?[ \t]*$/;
const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)$/;
const ROW = /^ {0,3}\|/;

export function holdBack(text: string): string {
  const lines = text.split('\n');
  const last = lines.at(-1) ?? '';
  if (isInFence(lines.slice(0, -1)))
    return /^[ \t>]*(?:`+|~+)[ \t]*$/.test(last) ? lines.slice(0, -1).join('\n') : text;
  if (UNDECIDED.test(last.replace(MARKERS, '')) && last.length < 1_000) {
    // The markers of an item without text are not shown either.
    lines.pop();
    return withTable(lines).join('\n');
  }
  return withTable(lines).join('\n');
}

function isInFence(lines: readonly string[]): boolean {
  let open: string | undefined;
  for (const line of lines) {
    const [, mark = '', info = ''] = FENCE.exec(line) ?? [];
    if (mark === '') continue;
    if (open === undefined) open = mark.startsWith('`') && info.includes('`') ? undefined : mark;
    else if (mark.startsWith(open) && info.trim() === '') open = undefined;
  }
  return open !== undefined;
}

/** Gives a row at the end the line that makes it the head of a table. */
function withTable(lines: string[]): string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const first = lines.findLastIndex((line, at) => at <= last && !ROW.test(line)) + 1;
  if (first > last || last - first > 1) return lines;
  const head = lines[first] ?? '';
  const second = lines[last] ?? '';
  if (last > first && !/^[\s|:-]+$/.test(second)) return lines;
  const inner = head.trim().replace(/^\|/, '').replace(/\|$/, '');
  const columns = inner.split(/(?<!\\)\|/).length;
  if (inner.trim() === '') return lines.slice(0, first);
  // A line that is whole says how its columns are aligned.
  if (last > first && last < lines.length - 1) return lines;
  return [...lines.slice(0, first), `|${inner}|`, `|${'---|'.repeat(columns)}`];
}
