// Real documents, made by code, and hostile ones. A hostile file has a harmless twin that is read: what is refused is
// refused for its fault.
import { describe, expect, it } from 'vitest';
import { makeDocx, makeOpenDocument, makePdf, makePptx, makeXlsx, makeZip } from '../../../test/support/make-files.ts';
import { DOCUMENT_TYPES } from './document-types.ts';
import { countPdfPages, extractText } from './extract-text.ts';
import { sniffType } from './sniff-type.ts';
import type { ExtractedText } from './text-collector.ts';

const MB = 1024 * 1024;
const never = new AbortController().signal;

function read(bytes: Buffer, name = 'file', signal = never): Promise<ExtractedText> {
  return extractText({ bytes, type: sniffType(bytes, name) ?? '', name }, signal);
}

describe('the text', () => {
  it('of a Word document has its headings, lists, tables and notes, without what was deleted or is drawn twice', async () => {
    const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const cell = (text: string): string => `<w:tc><w:p>${run(text)}</w:p></w:tc>`;
    const bytes = makeDocx(
      [
        `<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr>${run('Plan')}</w:p>`,
        `<w:p><w:pPr><w:tabs><w:tab w:val="left" w:pos="1"/></w:tabs></w:pPr>${run('Fish &amp; ')}${run('chips &#8364;5')}</w:p>`,
        `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/></w:numPr></w:pPr>${run('first')}</w:p>`,
        `<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>${run('kept')}<w:r><w:br/></w:r>${run('below')}</w:p>`,
        `<w:tbl><w:tr>${cell('a')}${cell('b')}</w:tr><w:tr>${cell('c')}${cell('d')}</w:tr></w:tbl>`,
        `<mc:AlternateContent xmlns:mc="x"><mc:Choice><w:p>${run('box')}</w:p></mc:Choice><mc:Fallback><w:p>${run('box')}</w:p></mc:Fallback></mc:AlternateContent>`,
      ].join(''),
      12,
    );
    expect(sniffType(bytes, 'x')).toBe(DOCUMENT_TYPES.docx);
    expect(await read(bytes)).toEqual({
      text: '## Plan\nFish & chips €5\n- first\nkept\nbelow\na \tb\nc \td\nbox',
      parts: { kind: 'page', count: 12 },
    });
  });

  it('of a workbook is its sheets in order, with values of formulas, dates as dates, and gaps between cells', async () => {
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy hh:mm"/><numFmt numFmtId="165" formatCode="0.0&quot; days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>';
    const bytes = makeXlsx(
      {
        Budget:
          '<row><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row><row><c r="A2" s="1"><v>45292</v></c><c r="B2" s="2"><v>45292.5</v></c><c r="C2" s="3"><f>1+1</f><v>2.5</v></c><c r="D2" t="b"><v>1</v></c></row>',
        'R &amp; D': '<row><c t="inlineStr"><is><t>inline</t></is></c><c t="str"><f>A1</f><v>said</v></c></row>',
        Empty: '',
      },
      ['Item', 'Cost\n(EUR)'],
      styles,
    );
    expect(sniffType(bytes, 'x')).toBe(DOCUMENT_TYPES.xlsx);
    expect(await read(bytes)).toEqual({
      text: '## Sheet: Budget\nItem\t\tCost (EUR)\n2024-01-01\t2024-01-01 12:00\t2.5\tTRUE\n\n## Sheet: R & D\ninline\tsaid\n\n## Sheet: Empty',
      parts: { kind: 'sheet', count: 3 },
    });
  });

  it('of a presentation is its slides in the order of showing, with the notes and without their page numbers', async () => {
    const bytes = makePptx([{ text: 'Welcome' }, { text: 'Results', notes: 'Speak slowly' }, { text: 'End' }]);
    expect(sniffType(bytes, 'x')).toBe(DOCUMENT_TYPES.pptx);
    expect(await read(bytes)).toEqual({
      text: '## Slide 1\nWelcome\n\n## Slide 2\nResults\nNotes: Speak slowly\n\n## Slide 3\nEnd',
      parts: { kind: 'slide', count: 3 },
    });
  });

  it('of the three OpenDocument kinds', async () => {
    const text = makeOpenDocument(
      'text',
      '<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h text:outline-level="1">Title</text:h><text:p>one<text:s text:c="2"/>two<text:tab/>three<office:annotation><text:p>a comment</text:p></office:annotation></text:p><text:list><text:list-item><text:p>item</text:p></text:list-item></text:list>',
      { 'meta.xml': '<office:meta xmlns:meta="m"><meta:document-statistic meta:page-count="3"/></office:meta>' },
    );
    expect(await read(text)).toEqual({
      text: '# Title\none  two\tthree\n- item',
      parts: { kind: 'page', count: 3 },
    });
    const cell = (said: string, more = ''): string =>
      `<table:table-cell ${more}>${said === '' ? '' : `<text:p>${said}</text:p>`}</table:table-cell>`;
    const sheet = makeOpenDocument(
      'spreadsheet',
      `<table:table table:name="Data"><table:table-row>${cell('a')}${cell('', 'table:number-columns-repeated="2"')}${cell('d', 'table:number-columns-repeated="2"')}${cell('', 'table:number-columns-repeated="16000"')}</table:table-row><table:table-row table:number-rows-repeated="1048000">${cell('', 'table:number-columns-repeated="16384"')}</table:table-row></table:table>`,
    );
    expect(await read(sheet)).toEqual({ text: '## Sheet: Data\na\t\t\td\td', parts: { kind: 'sheet', count: 1 } });
    const slides = makeOpenDocument(
      'presentation',
      '<draw:page><text:p>One</text:p><presentation:notes><text:p>aside</text:p></presentation:notes></draw:page><draw:page><text:p>Two</text:p></draw:page>',
    );
    expect(await read(slides)).toEqual({
      text: '## Slide 1\nOne\nNotes: aside\n\n## Slide 2\nTwo',
      parts: { kind: 'slide', count: 2 },
    });
  });

  it('of a PDF document is not needed to count its pages, which are unknown if it cannot be opened', async () => {
    const count = (bytes: Buffer): Promise<Pick<ExtractedText, 'parts'>> => countPdfPages(bytes, never);
    expect(await count(makePdf(['', '', '']))).toEqual({ parts: { kind: 'page', count: 3 } });
    expect(await count(makePdf(['Hello'], { encrypted: true }))).toEqual({});
    expect(await count(Buffer.from('%PDF-1.7\n1 0 obj << /Type /Pages /Count 4'))).toEqual({});
  });

  it('of a PDF document is that of its pages', async () => {
    expect(await read(makePdf(['Hello there', '', 'The end']))).toEqual({
      text: '## Page 1\nHello there\n\n## Page 3\nThe end',
      parts: { kind: 'page', count: 3 },
    });
  });

  it('of a text is the text', async () => {
    expect(await read(Buffer.from('\ufeffa,b\n1,2'), 'x.csv')).toEqual({ text: 'a,b\n1,2' });
  });

  it('has no character that cannot be stored, and no lone surrogate', async () => {
    const { text } = await read(makeDocx(['a&#0;b&#1;c&#55357;d']));
    expect(text).toBe('abc\ufffdd');
  });
});

describe('what cannot be read is refused with what to do:', () => {
  const docx = makeDocx(['Hello']);
  it.each([
    ['a PDF document without text', makePdf(['', '']), 'file_without_text'],
    ['a workbook without a value', makeXlsx({ Empty: '<row/>' }), 'file_without_text'],
    ['a presentation of pictures', makePptx([{ text: '' }]), 'file_without_text'],
    ['an empty text', Buffer.from(' \n'), 'file_without_text'],
    ['a PDF document with a password', makePdf(['Hello'], { encrypted: true }), 'file_encrypted'],
    ['an archive with a password', makeZip({ 'word/document.xml': '<a/>' }, { encrypted: true }), 'file_encrypted'],
    [
      'an OpenDocument with a password',
      makeOpenDocument('text', '', { 'META-INF/manifest.xml': '<manifest:encryption-data/>' }),
      'file_encrypted',
    ],
    [
      'an Office document with a password',
      Buffer.concat([
        Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
        Buffer.from('EncryptedPackage', 'utf16le'),
      ]),
      'file_encrypted',
    ],
    ['a document cut off', docx.subarray(0, docx.length - 40), 'file_damaged'],
    ['a PDF document of nothing', Buffer.from('%PDF-1.7\n\u0000\u0001'), 'file_damaged'],
    ['an archive of something else', makeZip({ 'readme.txt': 'hello' }), 'attachment_type_unsupported'],
    ['an image', Buffer.from('GIF89a\u0000'), 'attachment_type_unsupported'],
  ])('%s', async (_, bytes, code) => {
    const name = code === 'file_damaged' ? 'report.docx' : 'report';
    await expect(read(bytes, name)).rejects.toMatchObject({ code });
  });
});

describe('a hostile file', () => {
  it('that unpacks to more than fits is ended while it is unpacked; the same with less is read', async () => {
    const padded = (bytes: number): Buffer =>
      makeZip({ 'word/document.xml': `<w:p>${' '.repeat(bytes)}<w:t>Hello</w:t></w:p>` });
    const bomb = padded(300 * MB);
    expect(bomb.length).toBeLessThan(MB);
    const before = process.memoryUsage.rss();
    await expect(read(bomb)).rejects.toMatchObject({ code: 'file_too_complex' });
    expect(process.memoryUsage.rss() - before).toBeLessThan(400 * MB);
    expect((await read(padded(20 * MB))).text).toBe('Hello');
  });

  it('whose entries are large only together is ended too', async () => {
    const slides = Array.from({ length: 10 }, () => ({ text: ' '.repeat(10 * MB) }));
    await expect(read(makePptx(slides))).rejects.toMatchObject({ code: 'file_too_complex' });
    expect((await read(makePptx([...slides.slice(0, 3), { text: 'Hello' }]))).text).toContain('Hello');
  });

  it('with too many entries is refused', async () => {
    const many = (count: number): Buffer =>
      makeZip(
        Object.fromEntries([
          ['word/document.xml', '<w:p><w:t>Hello</w:t></w:p>'],
          ...Array.from({ length: count }, (_, at) => [`${at}`, ''] as const),
        ]),
      );
    const signal = never;
    const as = { type: DOCUMENT_TYPES.docx, name: 'x.docx' };
    await expect(extractText({ bytes: many(10_001), ...as }, signal)).rejects.toMatchObject({
      code: 'file_too_complex',
    });
    expect((await extractText({ bytes: many(9_000), ...as }, signal)).text).toBe('Hello');
  });

  it('that defines entities or names files outside is refused; the same without a declaration is read', async () => {
    const document = (declared: string): Buffer =>
      makeZip({ 'word/document.xml': `${declared}<w:p><w:t>Hello &lol; &amp;amp;</w:t></w:p>` });
    for (const declared of [
      '<!DOCTYPE x [<!ENTITY lol "lollollol">]>',
      '<!DOCTYPE x [<!ENTITY lol SYSTEM "file:///etc/passwd">]>',
    ])
      await expect(read(document(declared))).rejects.toMatchObject({ code: 'file_damaged' });
    expect((await read(document(''))).text).toBe('Hello &lol; &amp;');
  });

  it('that is nested a million deep is read like any other', async () => {
    const deep = `${'<w:x>'.repeat(1_000_000)}<w:t>Hello</w:t>${'</w:x>'.repeat(1_000_000)}`;
    expect((await read(makeDocx(deep))).text).toBe('Hello');
  });

  it('claims a column far away and gets a few tabs', async () => {
    const { text } = await read(makeXlsx({ S: '<row><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>' }));
    expect(text).toMatch(/^## Sheet: S\n1\t{50}2$/);
  });

  it('of a PDF kind that inflates without end is ended, and the memory of the process stays bounded', async () => {
    const bomb = makePdf(['Hello'], { padding: Buffer.alloc(350 * MB, ' ') });
    expect(bomb.length).toBeLessThan(MB);
    const before = process.memoryUsage.rss();
    let most = 0;
    const watching = setInterval(() => (most = Math.max(most, process.memoryUsage.rss() - before)), 10);
    await expect(read(bomb)).rejects.toMatchObject({ code: 'file_too_complex' });
    clearInterval(watching);
    expect(most).toBeLessThan(500 * MB);
    expect((await read(makePdf(['Hello'], { padding: Buffer.alloc(5 * MB, ' ') }))).text).toContain('Hello');
  });

  it('is given up when nobody waits for it', async () => {
    const controller = new AbortController();
    const reason = new Error('closed');
    const reading = read(makePdf(['Hello'], { padding: Buffer.alloc(100 * MB, ' ') }), 'x.pdf', controller.signal);
    controller.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });

  it('delays the others no longer than its limits: many at once are all answered', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => read(makeDocx([`Number ${at}`]))));
    expect(answers.map(({ text }) => text)).toEqual(Array.from({ length: 12 }, (_, at) => `Number ${at}`));
  });
});
