import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { countPdfPages } from './count-pdf-pages.ts';

const document = (...objects: (string | Buffer)[]): Buffer =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...objects.flatMap((object, index) => [
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]),
    Buffer.from('trailer\n<< /Root 1 0 R >>\n%%EOF'),
  ]);
const stream = (dictionary: string, content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${content.length} >>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ]);

describe('the pages of a PDF document', () => {
  it('are counted at the root of the page tree', () => {
    const nested = document(
      '<< /Type /Catalog /Pages 2 0 R /Outlines << /Type /Outlines /Count 99 >> >>',
      '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 12 >>',
      '<< /Type /Pages /Parent 2 0 R /Kids [] /Count 7 >>',
      '<< /Type /Page /Parent 2 0 R /Resources << /Font << >> >> >>',
    );
    expect(countPdfPages(nested)).toBe(12);
  });

  it('are those of the latest version of the document', () => {
    const pages = (count: number): string => `<</Type/Pages/Kids[]/Count ${count}>>`;
    expect(countPdfPages(document(pages(9), pages(3)))).toBe(3);
  });

  it('are found in a compressed object stream, and not in the content of other streams', () => {
    const objects = deflateSync('2 0 3 30 <</Type/Pages/Kids[3 0 R]/Count 41>> <</Type/Page/Parent 2 0 R>>');
    const misleading = stream('/Type /XObject', Buffer.from('<</Type/Pages/Kids[]/Count 5>> >> << <<'));
    expect(countPdfPages(document(misleading, stream('/Type /ObjStm /N 2 /Filter /FlateDecode', objects)))).toBe(41);
  });

  it.each([
    ['an empty one', '%PDF-1.4\n%%EOF'],
    ['one that is cut off', '%PDF-1.7\n1 0 obj << /Type /Pages /Count 4'],
    ['one that claims nonsense', document('<< /Type /Pages /Count -4 >>').toString('latin1')],
    [
      'one whose object stream is not compressed data',
      document(stream('/Type /ObjStm', Buffer.from('<<>>'))).toString('latin1'),
    ],
  ])('are unknown for %s', (_, text) => expect(countPdfPages(Buffer.from(text, 'latin1'))).toBeUndefined());

  it('are given up on in a file that is made to be slow', () => {
    const root = '<</Type/Pages/Count 4>>';
    expect(countPdfPages(Buffer.from(`%PDF-${'<<>>'.repeat(300_000)}${root}`))).toBeUndefined();
    expect(countPdfPages(Buffer.from(`%PDF-${'<<>>stream\n'.repeat(100_000)}${root}`))).toBe(4);
    const bomb = deflateSync(Buffer.concat([Buffer.alloc(9 * 1024 * 1024, ' '), Buffer.from(root)]));
    expect(countPdfPages(document(stream('/Type /ObjStm', bomb)))).toBeUndefined();
  });
});
