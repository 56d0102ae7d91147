// Parses a markdown block to a tree. Raw HTML is treated as text.
import { type Inline, parseInline } from './parse-inline.ts';
import {
  closesFence,
  isBlank,
  isIndented,
  isListItem,
  isQuote,
  openFence,
  splitBlocks,
  standsAlone,
} from './split-blocks.ts';

export type Align = 'left' | 'center' | 'right' | undefined;

export type Block =
  | { readonly type: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  | { readonly type: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly type: 'code'; readonly language: string; readonly text: string }
  | { readonly type: 'quote'; readonly blocks: readonly Block[] }
  | {
      readonly type: 'list';
      readonly ordered: boolean;
      readonly start: number;
      readonly items: readonly (readonly Block[])[];
    }
  | {
      readonly type: 'table';
      readonly aligns: readonly Align[];
      readonly head: readonly Cell[];
      readonly rows: readonly (readonly Cell[])[];
    }
  | { readonly type: 'rule' };

type Cell = readonly Inline[];

const MARKER = /^( {0,3})([-*+]|(\d{1,9})[.)])( {1,4}|\t|$)/;
const DELIMITERS = /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
/** Deeper than real text; a looping model must not overflow the stack. */
const DEEPEST = 12;

/** Parses one top-level block of `splitBlocks`. */
export function parseBlock(source: string, depth = 0): Block {
  const lines = source.split('\n');
  const first = lines[0] ?? '';
  const fence = openFence(first);
  if (fence) {
    const closed = lines.length > 1 && closesFence(lines.at(-1) ?? '', fence);
    return {
      type: 'code',
      language: first.trim().slice(fence.length).trim().split(/\s/)[0] ?? '',
      text: lines.slice(1, closed ? -1 : undefined).join('\n'),
    };
  }
  const heading = /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/.exec(first);
  if (heading) return { type: 'heading', level: heading[1]?.length ?? 1, children: parseInline(heading[2] ?? '') };
  if (standsAlone(first)) return { type: 'rule' };
  if (depth < DEEPEST && isQuote(first))
    return {
      type: 'quote',
      blocks: parseBlocks(lines.map((line) => line.replace(/^ {0,3}> ?/, '')).join('\n'), depth + 1),
    };
  if (depth < DEEPEST && isListItem(first)) return parseList(lines, depth);
  return (
    parseTable(lines) ?? { type: 'paragraph', children: parseInline(lines.map((line) => line.trimStart()).join('\n')) }
  );
}

export function parseBlocks(text: string, depth = 0): Block[] {
  return splitBlocks(text).map((source) => parseBlock(source, depth));
}

function parseList(lines: readonly string[], depth: number): Block {
  const [, , , number] = MARKER.exec(lines[0] ?? '') ?? [];
  const items: string[][] = [];
  let width = 0;
  let lead = 0;
  for (const line of lines) {
    const marker = MARKER.exec(line);
    const indent = line.length - line.trimStart().length;
    if (marker && isListItem(line) && (items.length === 0 || indent < lead + 2)) {
      lead = indent;
      width = marker[0].length;
      items.push([line.slice(marker[0].length)]);
    } else {
      const cut = isIndented(line) ? Math.min(indent, width) : 0;
      items.at(-1)?.push(isBlank(line) ? '' : line.slice(cut));
    }
  }
  return {
    type: 'list',
    ordered: number !== undefined,
    start: Number(number ?? 1),
    items: items.map((item) => parseBlocks(item.join('\n'), depth + 1)),
  };
}

function parseTable(lines: readonly string[]): Block | undefined {
  const [header = '', delimiters = '', ...body] = lines;
  if (!header.includes('|') || !DELIMITERS.test(delimiters)) return undefined;
  const aligns = cellsOf(delimiters).map(alignOf);
  const head = cellsOf(header);
  if (head.length !== aligns.length) return undefined;
  const fill = (cells: readonly string[]): Cell[] => aligns.map((_, column) => parseInline(cells[column] ?? ''));
  return { type: 'table', aligns, head: fill(head), rows: body.map((line) => fill(cellsOf(line))) };
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function alignOf(cell: string): Align {
  if (cell.endsWith(':')) return cell.startsWith(':') ? 'center' : 'right';
  return cell.startsWith(':') ? 'left' : undefined;
}
