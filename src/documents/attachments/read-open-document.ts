// ODT, ODS and ODP: one content.xml for all three. A table of a spreadsheet is a sheet, a page of a presentation a slide.
import { FileFault } from './file-fault.ts';
import { pagesOf } from './read-word.ts';
import type { Zip } from './read-zip.ts';
import { collectText, type ExtractedText, type TextCollector } from './text-collector.ts';
import { readAttribute, walkXml } from './walk-xml.ts';

export type OpenDocumentKind = 'text' | 'spreadsheet' | 'presentation';

/** Comments and what tracked changes have removed. */
const LEFT_OUT = new Set(['annotation', 'tracked-changes']);
/** A cell or row says how often it repeats; a hostile file, a million times. */
const MOST_REPEATS = 50;

export function readOpenDocument(zip: Zip, kind: OpenDocumentKind): ExtractedText {
  const manifest = zip.read('META-INF/manifest.xml');
  if (manifest?.includes('encryption-data')) throw new FileFault('encrypted');
  const content = zip.read('content.xml');
  if (!content) throw new FileFault('damaged');
  const text = collectText();
  const { count, said } = readContent(content, kind, text);
  const parts =
    kind === 'text'
      ? pagesOf(readPages(zip.read('meta.xml')))
      : { parts: { kind: kind === 'spreadsheet' ? ('sheet' as const) : ('slide' as const), count } };
  return { text: said ? text.read() : '', ...parts };
}

function readContent(xml: Buffer, kind: OpenDocumentKind, text: TextCollector): { count: number; said: boolean } {
  const reader = createReader(kind, text);
  let leftOut = 0;
  walkXml(xml, {
    open(name, attributes) {
      if (LEFT_OUT.has(name)) leftOut++;
      if (leftOut === 0) reader.open(name, attributes);
    },
    close(name) {
      if (leftOut === 0) reader.close(name);
      if (LEFT_OUT.has(name)) leftOut--;
    },
    text(part) {
      if (leftOut === 0) reader.text(part);
    },
  });
  return reader;
}

/** Follows paragraphs, which have the text, and cells, which hold it until their row ends. */
function createReader(
  kind: OpenDocumentKind,
  text: TextCollector,
): Required<Parameters<typeof walkXml>[1]> & { count: number; said: boolean } {
  let paragraphs = 0;
  let cell: { repeats: number; said: string } | undefined;
  let row = { gap: 0, line: '' };
  const add = (part: string): void => {
    if (cell) cell.said += part;
    else text.add(part);
  };
  const endCell = (): void => {
    const { repeats, said } = cell ?? { repeats: 1, said: '' };
    cell = undefined;
    const value = said.replace(/\s+/g, ' ').trim();
    if (value === '') {
      row.gap = Math.min(MOST_REPEATS, row.gap + repeats);
      return;
    }
    row.line += '\t'.repeat(row.gap) + `${value}\t`.repeat(Math.min(repeats, MOST_REPEATS) - 1) + value;
    row.gap = 1;
  };
  const reader = {
    count: 0,
    said: false,
    open(name: string, attributes: string): void {
      if (name === 'p' || name === 'h') paragraphs++;
      if (name === 'h' && kind === 'text')
        add(`\n${'#'.repeat(Math.min(6, Number(readAttribute(attributes, 'outline-level')) || 1))} `);
      else if (name === 'list-item' && kind === 'text') add('- ');
      else if (name === 's')
        add(' '.repeat(Math.min(MOST_REPEATS, Math.abs(Number(readAttribute(attributes, 'c') ?? 1)) || 1)));
      else if (name === 'tab') add('\t');
      else if (name === 'line-break') add('\n');
      else if (name === 'table-cell' || name === 'covered-table-cell')
        cell = { repeats: readRepeats(attributes), said: '' };
      else if (name === 'table-row') row = { gap: 0, line: '' };
      else if (name === 'notes') add('Notes: ');
      else if (name === 'table' && kind === 'spreadsheet') {
        reader.count++;
        text.add(`\n## Sheet: ${readAttribute(attributes, 'table:name') ?? ''}\n`);
      } else if (name === 'page' && kind === 'presentation') text.add(`\n## Slide ${++reader.count}\n`);
    },
    close(name: string): void {
      if (name === 'p' || name === 'h') {
        paragraphs--;
        add('\n');
      } else if (name === 'table-cell' || name === 'covered-table-cell') endCell();
      else if (name === 'table-row' && row.line !== '') text.add(`${row.line}\n`);
    },
    text(part: string): void {
      if (paragraphs === 0) return;
      reader.said ||= part.trim() !== '';
      add(part.replace(/\s+/g, ' '));
    },
  };
  return reader;
}

function readRepeats(attributes: string): number {
  return Math.max(1, Number(readAttribute(attributes, 'number-columns-repeated') ?? 1) || 1);
}

function readPages(xml: Buffer | undefined): number {
  let pages = 0;
  if (xml)
    walkXml(xml, {
      open(name, attributes) {
        if (name === 'document-statistic') pages = Number(readAttribute(attributes, 'page-count') ?? 0);
      },
    });
  return pages;
}
