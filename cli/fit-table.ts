// Fits a table to the terminal. Columns of prose are wrapped between words, the widest first; identifiers are never
// cut, because people copy them. If that is not enough, each row becomes a block with one field per line.

import { stripVTControlCharacters } from 'node:util';

const GAP = '  ';
/** The least readable width of a column of prose. */
const NARROWEST = 12;

/** Lines to print; the first `headLines` of them are the heading. */
export interface FittedTable {
  readonly lines: readonly string[];
  readonly headLines: number;
}

export function fitTable(heads: readonly string[], rows: readonly (readonly string[])[], width: number): FittedTable {
  const named = heads.some((head) => head !== '');
  const widths = shrink(measure(heads, rows, widthOf), measure(heads, rows, narrowest), width, named);
  if (!widths)
    return { lines: rows.flatMap((row, i) => [...(i === 0 ? [] : ['']), ...block(heads, row, width)]), headLines: 0 };
  const head = named ? layOut(heads, widths) : [];
  return { lines: [...head, ...rows.flatMap((row) => layOut(row, widths))], headLines: head.length };
}

function measure(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  size: (cell: string) => number,
): number[] {
  return heads.map((_, column) => [heads, ...rows].reduce((most, row) => Math.max(most, size(row[column] ?? '')), 0));
}

function narrowest(cell: string): number {
  return cell.includes(' ')
    ? cell.split(' ').reduce((most, word) => Math.max(most, widthOf(word)), Math.min(widthOf(cell), NARROWEST))
    : widthOf(cell);
}

/** Colours take no place. */
function widthOf(cell: string): number {
  return cell.includes('\u001B') ? stripVTControlCharacters(cell).length : cell.length;
}

function padTo(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - widthOf(cell)));
}

/** Widths that fit, or undefined if there are none. */
function shrink(
  natural: readonly number[],
  least: readonly number[],
  width: number,
  named: boolean,
): number[] | undefined {
  const widths = [...natural];
  for (let over = total(widths) - width; over > 0; over = total(widths) - width) {
    const room = widths.map((now, column) => now - (least[column] ?? 0));
    const widest = widths.reduce(
      (best, now, column) => ((room[column] ?? 0) > 0 && now > (widths[best] ?? 0) ? column : best),
      room.findIndex((one) => one > 0),
    );
    // Without column headings there are no blocks: the terminal breaks long lines.
    if (widest < 0) return named ? undefined : widths;
    const second = Math.max(0, ...widths.filter((_, column) => column !== widest && (room[column] ?? 0) > 0));
    const now = widths[widest] ?? 0;
    widths[widest] = Math.max(least[widest] ?? 0, now - over, Math.min(second, now - 1));
  }
  return widths;
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + one, 0) + GAP.length * Math.max(0, widths.length - 1);
}

/** A row as one line, or as several if a cell is wrapped. */
function layOut(row: readonly string[], widths: readonly number[]): string[] {
  const cells = row.map((cell, column) => wrap(cell, widths[column] ?? widthOf(cell)));
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((lines, column) => padTo(lines[line] ?? '', widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

function block(heads: readonly string[], row: readonly string[], width: number): string[] {
  const label = Math.max(...heads.map((head) => head.length));
  return row.flatMap((cell, column) =>
    cell === '' ? [] : layOut([heads[column] ?? '', cell], [label, Math.max(NARROWEST, width - label - GAP.length)]),
  );
}

/** Breaks between words; a word longer than the line is kept whole. */
function wrap(cell: string, width: number): string[] {
  if (widthOf(cell) <= width) return [cell];
  const lines: string[] = [];
  let line = '';
  for (const word of cell.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
