// Makes real documents for tests: archives with their checksums and directories, and PDF files with their tables.
import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

export type ZipContent = string | Buffer;

export interface ZipOptions {
  /** Sets the flag that says that entries are encrypted. */
  readonly encrypted?: true;
}

export function makeZip(entries: Readonly<Record<string, ZipContent>>, { encrypted }: ZipOptions = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(entries)) {
    const bytes = Buffer.from(content as string);
    const stored = name === 'mimetype' || bytes.length === 0;
    const packed = stored ? bytes : deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE((encrypted ? 1 : 0) | 0x800, 2);
    fields.writeUInt16LE(stored ? 0 : 8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), fields, rest, Buffer.from(name)]));
    locals.push(local);
    at += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, ...directory, Buffer.from('PK\u0005\u0006'), end]);
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const X = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${RELATIONS}"`;
const P = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${RELATIONS}"`;

const relationships = (rows: readonly (readonly [id: string, type: string, target: string])[]): string =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${rows.map(([id, type, target]) => `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`).join('')}</Relationships>`;
const contentTypes = `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`;

/** `body` is WordprocessingML, or a list of paragraphs. */
export function makeDocx(body: string | readonly string[], pages?: number): Buffer {
  const inner =
    typeof body === 'string' ? body : body.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('');
  return makeZip({
    '[Content_Types].xml': contentTypes,
    '_rels/.rels': relationships([['rId1', 'officeDocument', 'word/document.xml']]),
    'word/document.xml': `${XML}<w:document ${W}><w:body>${inner}</w:body></w:document>`,
    ...(pages === undefined ? {} : { 'docProps/app.xml': `${XML}<Properties><Pages>${pages}</Pages></Properties>` }),
  });
}

/** Sheets by name, each as rows of `<c>` elements. */
export function makeXlsx(
  sheets: Readonly<Record<string, string>>,
  strings: readonly string[] = [],
  styles = '',
): Buffer {
  const names = Object.keys(sheets);
  return makeZip({
    '[Content_Types].xml': contentTypes,
    'xl/workbook.xml': `${XML}<workbook ${X}><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ...names.map((_, at) => [`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`] as const),
      ['rIdS', 'sharedStrings', 'sharedStrings.xml'],
      ['rIdT', 'styles', '/xl/styles.xml'],
    ]),
    'xl/sharedStrings.xml': `${XML}<sst ${X}>${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': `${XML}<styleSheet ${X}>${styles}</styleSheet>`,
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `${XML}<worksheet ${X}><sheetData>${sheets[name] ?? ''}</sheetData></worksheet>`,
      ]),
    ),
  });
}

/** Slides with a line of text each, and the notes of some. */
export function makePptx(slides: readonly { readonly text: string; readonly notes?: string }[]): Buffer {
  const shape = (text: string): string =>
    `<p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld>`;
  const entries: Record<string, string> = {
    '[Content_Types].xml': contentTypes,
    'ppt/presentation.xml': `${XML}<p:presentation ${P}><p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 1}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships(
      // Against the order of their names: the presentation decides.
      slides.map((_, at) => [`rId${at + 1}`, 'slide', `slides/slide${slides.length - at}.xml`] as const),
    ),
  };
  for (const [at, { text, notes }] of slides.entries()) {
    const file = `slide${slides.length - at}.xml`;
    entries[`ppt/slides/${file}`] = `${XML}<p:sld ${P}>${shape(text)}</p:sld>`;
    if (notes === undefined) continue;
    entries[`ppt/slides/_rels/${file}.rels`] = relationships([['rId1', 'notesSlide', `../notesSlides/${file}`]]);
    entries[`ppt/notesSlides/${file}`] =
      `${XML}<p:notes ${P}>${shape(notes)}<a:p><a:fld type="slidenum"><a:t>${at + 1}</a:t></a:fld></a:p></p:notes>`;
  }
  return makeZip(entries);
}

const ODF = 'urn:oasis:names:tc:opendocument:xmlns';

/** `kind` ends the type; `body` is what the body has. */
export function makeOpenDocument(
  kind: 'text' | 'spreadsheet' | 'presentation',
  body: string,
  more: Readonly<Record<string, string>> = {},
): Buffer {
  const spaces = ['office', 'text', 'table', 'draw', 'presentation']
    .map((name) => `xmlns:${name}="${ODF}:${name}:1.0"`)
    .join(' ');
  return makeZip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `${XML}<office:document-content ${spaces}><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...more,
  });
}

export interface PdfOptions {
  /** What a page's content is preceded by, for pages that are large once inflated. */
  readonly padding?: Buffer;
  /** Says that the document is encrypted. */
  readonly encrypted?: true;
}

/** A document with a line of text on each page, or without any where it is empty. */
export function makePdf(pages: readonly string[], { padding = Buffer.alloc(0), encrypted }: PdfOptions = {}): Buffer {
  const kids = pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ');
  const objects: (string | Buffer)[] = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    ...pages.flatMap((text, at) => {
      const drawn = text === '' ? '0 0 10 10 re f' : `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
      const stream = deflateSync(Buffer.concat([padding, Buffer.from(drawn)]));
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents ${5 + at * 2} 0 R>>`,
        Buffer.concat([
          Buffer.from(`<</Length ${stream.length}/Filter/FlateDecode>>\nstream\n`),
          stream,
          Buffer.from('\nendstream'),
        ]),
      ];
    }),
  ];
  if (encrypted) objects.push(`<</Filter/Standard/V 1/R 2/P -4/O<${'41'.repeat(32)}>/U<${'42'.repeat(32)}>>>`);
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let at = 9;
  for (const [index, object] of objects.entries()) {
    const bytes = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object as string),
      Buffer.from('\nendobj\n'),
    ]);
    offsets.push(at);
    parts.push(bytes);
    at += bytes.length;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const crypt = encrypted ? `/Encrypt ${objects.length} 0 R/ID[<${'43'.repeat(16)}><${'43'.repeat(16)}>]` : '';
  const trailer = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<</Size ${objects.length + 1}/Root 1 0 R${crypt}>>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(trailer)]);
}
