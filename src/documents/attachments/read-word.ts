import { FileFault } from './file-fault.ts';
import type { Zip } from './read-zip.ts';
import { collectText, type ExtractedText, type TextCollector } from './text-collector.ts';
import { readAttribute, walkXml } from './walk-xml.ts';

/** Deleted text, field codes, positions of tab stops, and the second copy of what newer programs draw. */
const LEFT_OUT = new Set(['delText', 'instrText', 'tabs', 'Fallback']);
const MOST_PAGES = 100_000;

/** DOCX: the body, then its notes. Pages are counted as the program that saved it counted them. */
export function readWord(zip: Zip): ExtractedText {
  const body = zip.read('word/document.xml');
  if (!body) throw new FileFault('damaged');
  const text = collectText();
  readBody(body, text);
  for (const name of ['word/footnotes.xml', 'word/endnotes.xml']) {
    const notes = zip.read(name);
    if (notes && text.open) {
      text.add('\n');
      readBody(notes, text);
    }
  }
  return { text: text.read(), ...pagesOf(readCount(zip.read('docProps/app.xml'))) };
}

function readBody(xml: Buffer, text: TextCollector): void {
  let leftOut = 0;
  let cells = 0;
  let inText = false;
  walkXml(xml, {
    open(name, attributes) {
      if (LEFT_OUT.has(name)) leftOut++;
      if (leftOut > 0) return;
      if (name === 't') inText = true;
      else if (name === 'tab') text.add('\t');
      else if (name === 'br' || name === 'cr') text.add('\n');
      else if (name === 'noBreakHyphen') text.add('-');
      else if (name === 'tc') cells++;
      else if (name === 'pStyle') text.add(headingMark(readAttribute(attributes, 'val')));
      else if (name === 'numPr' && cells === 0) text.add('- ');
    },
    close(name) {
      if (LEFT_OUT.has(name)) leftOut--;
      if (leftOut > 0) return;
      if (name === 't') inText = false;
      else if (name === 'p') text.add(cells > 0 ? ' ' : '\n');
      else if (name === 'tr') text.add('\n');
      else if (name === 'tc') {
        cells--;
        text.add('\t');
      }
    },
    text(said) {
      if (inText && leftOut === 0) text.add(said);
    },
  });
}

function headingMark(style: string | undefined): string {
  const level = Number(/^Heading([1-6])$/i.exec(style ?? '')?.[1] ?? 0);
  return level === 0 ? '' : `\n${'#'.repeat(level)} `;
}

function readCount(xml: Buffer | undefined): number {
  let inside = false;
  let said = '';
  if (xml)
    walkXml(xml, {
      open: (name) => (inside = name === 'Pages'),
      close: () => (inside = false),
      text: (text) => (said += inside ? text : ''),
    });
  return Number(said);
}

export function pagesOf(count: number): Pick<ExtractedText, 'parts'> {
  return Number.isInteger(count) && count > 0 && count <= MOST_PAGES ? { parts: { kind: 'page', count } } : {};
}
