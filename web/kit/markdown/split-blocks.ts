// Splits markdown into top-level blocks by line. A growing answer changes only its last block, so the others are not
// rendered again.

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;
const INDENTED = /^(?: {2,}|\t)/;
const ALONE = /^ {0,3}(?:#{1,6}(?:\s|$)|(?:\*[ \t]*){3,}$|(?:-[ \t]*){3,}$|(?:_[ \t]*){3,}$)/;
const QUOTE = /^ {0,3}>/;

export type Fence = { readonly mark: string; readonly length: number };

/** The fence, if this line opens a code block; a line with further backticks does not. */
export function openFence(line: string): Fence | undefined {
  const mark = FENCE.exec(line)?.[1];
  if (mark === undefined || (mark.startsWith('`') && line.trimStart().slice(mark.length).includes('`')))
    return undefined;
  return { mark: mark.charAt(0), length: mark.length };
}

export function closesFence(line: string, { mark, length }: Fence): boolean {
  const text = line.trim();
  return text.length >= length && text === mark.repeat(text.length) && !/^ {4}/.test(line);
}

export const isListItem = (line: string): boolean => LIST_ITEM.test(line) && !ALONE.test(line);
export const isIndented = (line: string): boolean => INDENTED.test(line);
export const isQuote = (line: string): boolean => QUOTE.test(line);
export const standsAlone = (line: string): boolean => ALONE.test(line);
export const isBlank = (line: string): boolean => line.trim() === '';

export function splitBlocks(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const blocks: string[] = [];
  for (let at = 0; at < lines.length;) {
    if (isBlank(lines[at] ?? '')) {
      at += 1;
      continue;
    }
    const end = endOfBlock(lines, at);
    blocks.push(lines.slice(at, end).join('\n'));
    at = end;
  }
  return blocks;
}

function endOfBlock(lines: readonly string[], start: number): number {
  const first = lines[start] ?? '';
  const fence = openFence(first);
  if (fence) return endOfFence(lines, start, fence);
  if (standsAlone(first)) return start + 1;
  if (isListItem(first)) return endOfList(lines, start);
  let end = start + 1;
  if (isQuote(first)) while (end < lines.length && isQuote(lines[end] ?? '')) end += 1;
  else while (end < lines.length && !interrupts(lines[end] ?? '')) end += 1;
  return end;
}

/** Up to the closing fence, or to the end while it is streaming. */
function endOfFence(lines: readonly string[], start: number, fence: Fence): number {
  const close = lines.findIndex((line, at) => at > start && closesFence(line, fence));
  return close < 0 ? lines.length : close + 1;
}

/** Blank lines belong to a list if an item or indented text follows; code inside an item is not split. */
function endOfList(lines: readonly string[], start: number): number {
  let end = start + 1;
  for (let at = start + 1; at < lines.length;) {
    const line = lines[at] ?? '';
    const fence = isIndented(line) ? openFence(line.trimStart()) : undefined;
    if (fence) at = endOfFence(lines, at, fence);
    else if (isListItem(line) || isIndented(line)) at += 1;
    else if (isBlank(line)) {
      at += 1;
      continue;
    } else if (isBlank(lines[at - 1] ?? '') || interrupts(line)) return end;
    else at += 1;
    end = at;
  }
  return end;
}

/** What ends a paragraph. A number other than 1 does not start a list inside a paragraph. */
function interrupts(line: string): boolean {
  return (
    isBlank(line) ||
    standsAlone(line) ||
    isQuote(line) ||
    openFence(line) !== undefined ||
    (isListItem(line) && !/^ *\d+/.test(line)) ||
    /^ {0,3}1[.)]\s/.test(line)
  );
}
