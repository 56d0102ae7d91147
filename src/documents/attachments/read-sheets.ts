// XLSX: every sheet as lines of cells with tabs between them. Formulas count by the value that was saved with them, and
// dates, which are numbers with a format, are written as dates.
import { FileFault } from './file-fault.ts';
import { readRelations } from './read-relations.ts';
import type { Zip } from './read-zip.ts';
import { collectText, type ExtractedText, type TextCollector } from './text-collector.ts';
import { readAttribute, walkXml } from './walk-xml.ts';

const WORKBOOK = 'xl/workbook.xml';
/** Empty cells between two others; a hostile file may claim a million. */
const MOST_GAP = 50;

interface Workbook {
  readonly sheets: readonly { readonly name: string; readonly part: string }[];
  readonly strings: readonly string[];
  /** By style: whether its numbers are dates. */
  readonly dateStyles: readonly boolean[];
  /** Days from the workbook's own day zero to 1 January 1970. */
  readonly epochDays: number;
}

export function readSheets(zip: Zip): ExtractedText {
  const workbook = readWorkbook(zip);
  const text = collectText();
  let said = false;
  for (const { name, part } of workbook.sheets) {
    if (!text.open) break;
    const sheet = zip.read(part);
    text.add(`## Sheet: ${name}\n`);
    if (sheet) said = readCells(sheet, workbook, text) || said;
    text.add('\n');
  }
  return { text: said ? text.read() : '', parts: { kind: 'sheet', count: workbook.sheets.length } };
}

function readWorkbook(zip: Zip): Workbook {
  const xml = zip.read(WORKBOOK);
  if (!xml) throw new FileFault('damaged');
  const relations = readRelations(zip, WORKBOOK);
  const sheets: { name: string; part: string }[] = [];
  let epochDays = 25_569;
  walkXml(xml, {
    open(name, attributes) {
      if (name === 'workbookPr' && /^(?:1|true)$/.test(readAttribute(attributes, 'date1904') ?? '')) epochDays = 24_107;
      const part = name === 'sheet' ? relations.get(readAttribute(attributes, 'r:id') ?? '')?.target : undefined;
      if (part !== undefined) sheets.push({ name: readAttribute(attributes, 'name') ?? '', part });
    },
  });
  const byType = new Map([...relations.values()].map(({ type, target }) => [type, target]));
  return {
    sheets,
    epochDays,
    strings: readStrings(zip.read(byType.get('sharedStrings') ?? '')),
    dateStyles: readDateStyles(zip.read(byType.get('styles') ?? '')),
  };
}

function readStrings(xml: Buffer | undefined): string[] {
  const strings: string[] = [];
  let current: string[] = [];
  let inText = false;
  let phonetic = false;
  if (xml)
    walkXml(xml, {
      open(name) {
        if (name === 'si') current = [];
        else if (name === 't') inText = true;
        else if (name === 'rPh') phonetic = true;
      },
      close(name) {
        if (name === 'si') strings.push(current.join(''));
        else if (name === 't') inText = false;
        else if (name === 'rPh') phonetic = false;
      },
      text: (said) => void (inText && !phonetic && current.push(said)),
    });
  return strings;
}

function readDateStyles(xml: Buffer | undefined): boolean[] {
  const custom = new Map<number, boolean>();
  const styles: boolean[] = [];
  let inCells = false;
  if (xml)
    walkXml(xml, {
      open(name, attributes) {
        const format = Number(readAttribute(attributes, 'numFmtId') ?? 0);
        if (name === 'numFmt') custom.set(format, isDateFormat(readAttribute(attributes, 'formatCode') ?? ''));
        else if (name === 'cellXfs') inCells = true;
        else if (name === 'xf' && inCells) styles.push(custom.get(format) ?? isDateNumber(format));
      },
      close: (name) => void (name === 'cellXfs' && (inCells = false)),
    });
  return styles;
}

/** Built-in formats, whose codes are not in the file. */
const isDateNumber = (format: number): boolean =>
  (format >= 14 && format <= 22) || (format >= 27 && format <= 36) || (format >= 45 && format <= 58 && format !== 48);

const isDateFormat = (code: string): boolean => /[ymdhs]/i.test(code.replace(/"[^"]*"|\\.|\[[^\]]*\]|General/gi, ''));

interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  value: string;
}

/** Whether any cell has text. */
function readCells(xml: Buffer, workbook: Workbook, text: TextCollector): boolean {
  let said = false;
  let column = 0;
  let cell: Cell | undefined;
  let inValue = false;
  const write = ({ column: at, ...found }: Cell): void => {
    const value = showValue(found, workbook);
    if (value !== '') {
      text.add('\t'.repeat(Math.min(Math.max(at - column, 0), MOST_GAP)) + value);
      column = at;
      said = true;
    }
  };
  let next = 0;
  walkXml(xml, {
    open(name, attributes) {
      if (name === 'row') column = next = 0;
      else if (name === 'c') {
        const at = readColumn(readAttribute(attributes, 'r')) ?? next;
        const style = Number(readAttribute(attributes, 's') ?? 0);
        cell = { column: at, type: readAttribute(attributes, 't') ?? 'n', style, value: '' };
        next = at + 1;
      } else if (name === 'v' || name === 't') inValue = true;
    },
    close(name) {
      if (name === 'v' || name === 't') inValue = false;
      else if (name === 'c' && cell) {
        write(cell);
        cell = undefined;
      } else if (name === 'row') text.add('\n');
    },
    text(part) {
      if (inValue && cell) cell.value += part;
    },
  });
  return said;
}

/** `C7` is in column 2. */
function readColumn(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function showValue({ type, style, value }: Omit<Cell, 'column'>, workbook: Workbook): string {
  if (value === '') return '';
  if (type === 's') return oneLine(workbook.strings[Number(value)] ?? '');
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type !== 'n') return oneLine(value);
  return workbook.dateStyles[style] ? showDate(Number(value), workbook.epochDays) : value;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function showDate(days: number, epochDays: number): string {
  const date = new Date(Math.round((days - epochDays) * 86_400) * 1_000);
  if (Number.isNaN(date.getTime())) return String(days);
  const [day = '', time = ''] = date.toISOString().split('T');
  const clock = time.slice(0, time.startsWith(':00', 5) ? 5 : 8);
  if (days < 1) return clock;
  return Number.isInteger(days) ? day : `${day} ${clock}`;
}
