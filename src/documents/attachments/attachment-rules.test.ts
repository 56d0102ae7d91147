import { describe, expect, it } from 'vitest';
import { cleanName } from './clean-name.ts';
import { decodeText, sniffType } from './sniff-type.ts';
import { splitText } from './split-text.ts';

describe('the type', () => {
  it.each([
    [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]), 'a.txt', 'image/png'],
    [Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'a', 'image/jpeg'],
    [Buffer.from('GIF89a\0'), 'a', 'image/gif'],
    [Buffer.from('RIFF\0\0\0\0WEBPVP8 '), 'a', 'image/webp'],
    [Buffer.from('junk\n%PDF-1.7\n\0'), 'a.doc', 'application/pdf'],
    [Buffer.from('a,b'), 'x.CSV', 'text/csv'],
    [Buffer.from('<script>alert(1)</script>'), 'x.html', 'text/plain'],
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'x.svg', 'text/plain'],
    [Buffer.from('{}'), 'x.json', 'application/json'],
    [Buffer.from([0xff, 0xfe, 0x41, 0]), 'utf16.txt', undefined],
    [Buffer.from([0x80, 0x81]), 'latin.txt', undefined],
    [Buffer.from('MZ\0\0'), 'a.png', undefined],
  ])('of %j named %s is %s', (bytes, name, type) => {
    expect(sniffType(bytes, name)).toBe(type);
  });

  it('leaves a byte order mark out of the text', () => {
    expect(decodeText(Buffer.from('\ufeffhello'))).toBe('hello');
  });
});

describe('the name', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\notes.txt', 'notes.txt'],
    ['a\r\nset-cookie: x.txt', 'aset-cookie_ x.txt'],
    ['evil\u202egnp.exe', 'evilgnp.exe'],
    ['"quoted".txt', '_quoted_.txt'],
    ['...', 'attachment'],
    ['', 'attachment'],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(196)}.pdf`],
  ])('%j becomes %j', (given, name) => {
    expect(cleanName(given)).toBe(name);
  });
});

describe('the pieces of a text', () => {
  it('hold all of it, overlap, and end where a paragraph, sentence or word does', () => {
    const words = Array.from({ length: 2_000 }, (_, index) => `word${index}`);
    const pieces = splitText(words.join(' '));
    expect(pieces.length).toBeGreaterThan(5);
    for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(1_600);
    const found = new Set(pieces.flatMap((piece) => piece.split(' ')));
    for (const word of words) expect(found).toContain(word);
    expect(
      pieces[1]
        ?.split(' ')
        .slice(1, 3)
        .every((word) => pieces[0]?.includes(word)),
    ).toBe(true);
  });

  it('are cut even without a good place to cut', () => {
    const pieces = splitText('x'.repeat(5_000));
    expect(pieces.map(({ length }) => length)).toEqual([1_600, 1_600, 1_600, 800]);
    expect(splitText('')).toEqual([]);
    expect(splitText(' \n ')).toEqual([]);
  });
});
