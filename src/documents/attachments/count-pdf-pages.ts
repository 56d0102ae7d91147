// Counts the pages of a PDF document from the root of its page tree, without rendering anything. Since PDF 1.5 that
// node may be in a compressed object stream, so those are inflated, within a budget. Encrypted, damaged or unusual
// documents have no count, and nothing depends on it.
import { inflate } from '../../base/inflate.ts';

const MOST_INFLATED_BYTES = 8 * 1024 * 1024;
/** Of one text, so that a hostile file cannot keep the process busy. */
const MOST_MARKS = 500_000;
const MOST_PAGES = 100_000;

export function countPdfPages(bytes: Buffer): number | undefined {
  const roots: number[] = [];
  let budget = MOST_INFLATED_BYTES;
  const visit = (dictionary: string, stream: Buffer | undefined): void => {
    const pages = readRoot(dictionary);
    if (pages !== undefined) roots.push(pages);
    if (stream === undefined || budget <= 0 || !/\/Type\s*\/ObjStm\b/.test(dictionary)) return;
    const inflated = inflateOrNothing(stream, budget);
    budget -= inflated.length;
    walkDictionaries(inflated, (inner) => visit(inner, undefined));
  };
  walkDictionaries(bytes, visit);
  // A document that was changed has its latest page tree last.
  return roots.at(-1);
}

function readRoot(dictionary: string): number | undefined {
  if (!/\/Type\s*\/Pages\b/.test(dictionary) || /\/Parent\b/.test(dictionary)) return undefined;
  const count = Number(/\/Count\s+(\d{1,6})\b/.exec(dictionary)?.[1]);
  return count > 0 && count <= MOST_PAGES ? count : undefined;
}

/** Calls back with every outermost dictionary and, if one follows it, the content of its stream. */
function walkDictionaries(bytes: Buffer, visit: (dictionary: string, stream: Buffer | undefined) => void): void {
  const text = bytes.toString('latin1');
  const marks = /<<|>>/g;
  const lastEnd = text.lastIndexOf('endstream');
  let depth = 0;
  let seen = 0;
  let start = 0;
  for (let mark = marks.exec(text); mark !== null && ++seen < MOST_MARKS; mark = marks.exec(text)) {
    if (mark[0] === '<<') {
      if (depth++ === 0) start = mark.index;
    } else if (depth > 0 && --depth === 0) {
      const end = marks.lastIndex;
      const opened = /^\s*stream\r?\n/.exec(text.slice(end, end + 32));
      const closed = opened === null || end > lastEnd ? -1 : text.indexOf('endstream', end);
      const content = end + (opened?.[0].length ?? 0);
      visit(text.slice(start, end), closed === -1 ? undefined : bytes.subarray(content, closed));
      if (closed !== -1) marks.lastIndex = closed;
    }
  }
}

function inflateOrNothing(stream: Buffer, budget: number): Buffer {
  try {
    return inflate(stream, { raw: false, mostBytes: budget });
  } catch {
    return Buffer.alloc(0);
  }
}
