// An upper bound of what a PDF costs a model: its pages and the text on them. It is not a PDF reader: it looks for
// anything that could be a page or text and overcounts rather than undercounts. If it cannot look inside (encryption,
// rare filters, too much inflated data), it returns no count.
import { countPages, findObjects, unescapeNames } from './count-pdf-pages.ts';
import { findForms, type PdfStream, readStreams } from './read-pdf-streams.ts';

export interface PdfLength {
  readonly pages: number;
  /** Upper bound of the bytes of its text. */
  readonly textBytes: number;
}

/** More inflated bytes than a document of text and drawings has. */
const MOST_INFLATED_BYTES = 16 * 1024 * 1024;
/** Up to this length a character code stands for a ligature; a longer expansion counts for every code. */
const LIGATURE = 3;

/** Undefined if the document cannot be counted. */
export function countPdf(bytes: Buffer): PdfLength | undefined {
  const streams = readStreams(bytes, MOST_INFLATED_BYTES);
  if (!streams) return undefined;
  const file = bytes.toString('latin1');
  const structure = unescapeNames(
    [file, ...streams.flatMap(({ isStructure, text }) => (isStructure ? [text] : []))].join('\n'),
  );
  if (/\/Encrypt\b/.test(structure)) return undefined;
  const pages = countPages(findObjects(file, streams), structure);
  if (pages === undefined) return undefined;
  return { pages, textBytes: Math.ceil(countText(streams, structure)) };
}

function countText(streams: readonly PdfStream[], structure: string): number {
  const used = new Map<string, number>();
  for (const [, one, several] of structure.matchAll(/\/Contents\s*(?:(\d+)\s+\d+\s+R|\[([^\][]*)\])/g))
    for (const id of one === undefined
      ? [...(several ?? '').matchAll(/(\d+)\s+\d+\s+R/g)].map(([, number]) => number ?? '')
      : [one])
      used.set(id, (used.get(id) ?? 0) + 1);
  const known = new Set(streams.map(({ id }) => id));
  // A separate contents array is used as often as it is referenced.
  const shared = Math.max(1, ...[...used].map(([id, times]) => (known.has(id) ? 1 : times)));

  const forms = findForms(streams);
  const pages = streams.filter((stream) => !forms.includes(stream));
  const times = ({ id }: PdfStream): number => Math.max(shared, used.get(id) ?? 1);
  const written = pages.reduce((sum, stream) => sum + stream.stringBytes * times(stream), 0);
  const drawn = pages.reduce((sum, { draws, ...stream }) => sum + draws * times({ draws, ...stream }), 0);
  const inForms = forms.reduce((sum, { stringBytes }) => sum + stringBytes, 0);
  // Forms may draw each other: n operators multiply to 3^(n/3) at most.
  const nested = 3 ** (forms.reduce((sum, { draws }) => sum + draws, 0) / 3);
  return Math.min(
    Number.MAX_SAFE_INTEGER,
    (written + (inForms === 0 ? 0 : inForms * Math.max(1, drawn) * nested)) * longestExpansion(streams, structure),
  );
}

/** The longest text that one character code or glyph stands for. */
function longestExpansion(streams: readonly PdfStream[], structure: string): number {
  let longest = 1;
  for (const { text, isMap } of streams)
    if (isMap)
      for (const [, hex] of text.matchAll(/<([0-9A-Fa-f\s]+)>/g))
        longest = Math.max(longest, (hex ?? '').replace(/\s/g, '').length / 4);
  for (const [, names = ''] of structure.matchAll(/\/Differences\s*\[([^\][]*)\]/g))
    for (const [name] of names.matchAll(/\/[^\s/]+/g))
      longest = Math.max(longest, name.startsWith('/uni') ? (name.length - 4) / 4 : name.split('_').length);
  return longest <= LIGATURE ? 1 : longest;
}
