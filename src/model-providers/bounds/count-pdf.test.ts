import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { countPdf } from './count-pdf.ts';
import { mediaTokens } from './media-tokens.ts';

interface Made {
  /** By object number. */
  readonly objects: Readonly<
    Record<number, string | { readonly dictionary: string; readonly content: Buffer | string }>
  >;
}

function pdf({ objects }: Made): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  for (const [id, object] of Object.entries(objects)) {
    if (typeof object === 'string') parts.push(Buffer.from(`${id} 0 obj\n${object}\nendobj\n`, 'latin1'));
    else
      parts.push(
        Buffer.from(`${id} 0 obj\n<< ${object.dictionary} /Length ${object.content.length} >>\nstream\n`),
        Buffer.from(object.content),
        Buffer.from('\nendstream\nendobj\n'),
      );
  }
  return Buffer.concat([...parts, Buffer.from('trailer << /Root 1 0 R >>\n%%EOF\n')]);
}

const deflated = (text: string, dictionary = ''): { dictionary: string; content: Buffer } => ({
  dictionary: `/Filter /FlateDecode ${dictionary}`,
  content: deflateSync(text),
});
const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
const range = (count: number, from = 10): number[] => Array.from({ length: count }, (_, index) => from + index);
const refs = (ids: readonly number[]): string => ids.map((id) => `${id} 0 R`).join(' ');

/** Pages as every writer since 2003 stores them: in a compressed object stream. */
function packed(count: number): Buffer {
  const bodies = [
    CATALOG,
    `<< /Type /Pages /Kids [${refs(range(count))}] /Count 1 >>`,
    ...range(count).map(() => '<< /Type /Page /Parent 2 0 R >>'),
  ];
  const ids = [1, 2, ...range(count)];
  let place = 0;
  const head = bodies
    .map((body, at) => {
      const pair = `${ids[at]} ${place}`;
      place += body.length + 1;
      return pair;
    })
    .join(' ');
  return pdf({
    objects: {
      9000: deflated(`${head} ${bodies.join(' ')}`, `/Type /ObjStm /N ${bodies.length} /First ${head.length + 1}`),
    },
  });
}

describe('the pages of a PDF', () => {
  it('are counted in plain objects, and in compressed ones, whatever the tree claims', () => {
    expect(
      countPdf(
        pdf({
          objects: {
            1: CATALOG,
            2: '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
            3: '<< /Type /Page >>',
            4: '<< /Type /Page >>',
          },
        }),
      ),
    ).toMatchObject({ pages: 2 });
    expect(countPdf(packed(500))).toMatchObject({ pages: 500 });
    expect(packed(500).length).toBeLessThan(5_000);
  });

  it('are counted with escaped names, after comments, and in nodes without a type', () => {
    expect(
      countPdf(
        pdf({
          objects: {
            1: '<< /P#61ges 2 0 R >>',
            2: '<< /K#69ds %]\n[3 0 R %\n 4 0 R] /Limits [] >>',
            3: '<< >>',
            4: '<< >>',
          },
        }),
      ),
    ).toMatchObject({ pages: 2 });
  });

  it('leave out other trees, which have children too', () => {
    expect(
      countPdf(
        pdf({
          objects: {
            1: '<< /Pages 2 0 R /Dests 5 0 R >>',
            2: '<< /Kids [3 0 R] >>',
            3: '<< /Type /Page >>',
            5: '<< /Kids [6 0 R 7 0 R 8 0 R] >>',
          },
        }),
      ),
    ).toMatchObject({ pages: 1 });
  });

  const tree = (levels: number): Record<number, string> => {
    const objects: Record<number, string> = { 1: CATALOG, 2: '<< /Kids [10 0 R 11 0 R] >>' };
    for (const level of range(levels, 1))
      for (const side of [0, 1])
        objects[level * 10 + side] =
          level === levels ? '<< /Type /Page >>' : `<< /Kids [${(level + 1) * 10} 0 R ${(level + 1) * 10 + 1} 0 R] >>`;
    return objects;
  };
  it.each([
    ['a page twice in a list', { 1: CATALOG, 2: '<< /Kids [3 0 R 3 0 R] >>', 3: '<< /Type /Page >>' }],
    ['nodes that share their children', tree(20)],
    ['a circle', { 1: CATALOG, 2: '<< /Kids [3 0 R] >>', 3: '<< /Kids [2 0 R] >>' }],
    ['children in a separate list', { 1: CATALOG, 2: '<< /Kids 4 0 R >>', 3: '<< /Type /Page >>', 4: '[3 0 R 3 0 R]' }],
    ['a page that is not there', { 1: CATALOG, 2: '<< /Kids [77 0 R] >>' }],
    ['no tree', { 1: '<< /Type /Catalog >>' }],
    ['encryption', { 1: CATALOG, 2: '<< /Kids [3 0 R] >>', 3: '<< /Type /Page >>', 4: '<< /Encrypt 5 0 R >>' }],
    [
      'a filter that is not read',
      {
        1: CATALOG,
        2: '<< /Kids [3 0 R] >>',
        3: '<< /Type /Page /Contents 4 0 R >>',
        4: { dictionary: '/Filter [/ASCII85Decode /FlateDecode]', content: 'abc~>' },
      },
    ],
    [
      'a predictor over objects',
      {
        1: CATALOG,
        2: '<< /Kids [3 0 R] >>',
        3: '<< /Type /Page >>',
        4: deflated('x', '/Type /ObjStm /N 1 /First 4 /DecodeParms << /Predictor 12 >>'),
      },
    ],
    [
      'truncated compressed bytes',
      {
        1: CATALOG,
        2: '<< /Kids [3 0 R] >>',
        3: '<< /Type /Page >>',
        4: { dictionary: '/Filter /FlateDecode', content: deflateSync('(abc) Tj '.repeat(500)).subarray(0, 20) },
      },
    ],
    [
      'a bomb',
      { 1: CATALOG, 2: '<< /Kids [3 0 R] >>', 3: '<< /Type /Page >>', 4: deflated(' '.repeat(60 * 1024 * 1024)) },
    ],
  ] satisfies [string, Made['objects']][])('cannot be counted: %s', (_name, objects) => {
    expect(countPdf(pdf({ objects }))).toBeUndefined();
  });

  it('of a file that is not a PDF are not counted', () => {
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('%PDF-1.7'),
      Buffer.from('stream\n'.repeat(30_000)),
      Buffer.alloc(100_000, '/Kids['),
    ])
      expect(countPdf(bytes)).toBeUndefined();
  });
});

describe('the text of a PDF', () => {
  const words = (count: number): string => `BT ${'(word \\) ) Tj '.repeat(count)} <48656c6c6f> Tj ET`;
  const onePage = (page: string, more: Made['objects']): Buffer =>
    pdf({ objects: { 1: CATALOG, 2: '<< /Kids [3 0 R] >>', 3: `<< /Type /Page ${page} >>`, ...more } });

  it('is counted in compressed contents, of any size', () => {
    const length = countPdf(onePage('/Contents 4 0 R', { 4: deflated(words(100_000)) }));
    expect(length?.textBytes).toBeGreaterThanOrEqual(700_000);
    expect(length?.textBytes).toBeLessThan(1_000_000);
  });

  it('is counted once for every page that shows it', () => {
    const once = countPdf(onePage('/Contents 4 0 R', { 4: deflated(words(100)) }))?.textBytes ?? 0;
    const twice = pdf({
      objects: {
        1: CATALOG,
        2: '<< /Kids [3 0 R 5 0 R] >>',
        3: '<< /Contents 4 0 R >>',
        5: '<< /Contents [4 0 R] >>',
        4: deflated(words(100)),
      },
    });
    expect(countPdf(twice)?.textBytes).toBe(2 * once);
    const apart = pdf({
      objects: {
        1: CATALOG,
        2: '<< /Kids [3 0 R 5 0 R] >>',
        3: '<< /Contents 6 0 R >>',
        5: '<< /Contents 6 0 R >>',
        6: '[4 0 R]',
        4: deflated(words(100)),
      },
    });
    expect(countPdf(apart)?.textBytes).toBe(2 * once);
  });

  it('is multiplied where forms draw it again and again', () => {
    const form = (content: string): ReturnType<typeof deflated> => deflated(content, '/Type /XObject /Subtype /Form');
    const nested = onePage('/Contents 4 0 R', {
      4: deflated('/A Do /A Do'),
      5: form('/B Do /B Do /B Do'),
      6: form('/C Do /C Do /C Do'),
      7: form(words(100)),
    });
    expect(countPdf(nested)?.textBytes).toBeGreaterThanOrEqual(2 * 3 * 3 * 700);
  });

  it('is multiplied where a code stands for a long text', () => {
    const map = deflated(`1 beginbfchar <01> <${'0041'.repeat(200)}> endbfchar`);
    expect(
      countPdf(onePage('/Contents 4 0 R', { 4: deflated('(aaaa) Tj'), 5: map }))?.textBytes,
    ).toBeGreaterThanOrEqual(800);
  });

  it('is not missed in a stream that claims to be an image, or whose dictionary is hidden', () => {
    expect(
      countPdf(onePage('/Contents 4 0 R', { 4: deflated(words(1_000), '/Subtype /Image /Width 1 /Height 1') }))
        ?.textBytes,
    ).toBeGreaterThanOrEqual(7_000);
    expect(
      countPdf(onePage('/Contents 4 0 R', { 4: deflated(words(1_000), '/X (9 0 obj /DCTDecode)') }))?.textBytes,
    ).toBeGreaterThanOrEqual(7_000);
  });

  it('is not found in images and fonts', () => {
    const pixels = Buffer.alloc(3_000_000, 0xc8);
    expect(
      countPdf(
        onePage('', {
          4: {
            dictionary: '/Subtype /Image /Width 1000 /Height 1000 /Filter /FlateDecode',
            content: deflateSync(pixels),
          },
          5: deflated('(a)'.repeat(1_000), '/Length1 3000'),
        }),
      )?.textBytes,
    ).toBe(0);
  });
});

describe('what providers count', () => {
  const png = (width: number, height: number): Buffer => {
    const bytes = Buffer.alloc(24);
    bytes.write('\x89PNG\r\n\x1a\n', 'latin1');
    bytes.write('IHDR', 12, 'latin1');
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    return bytes;
  };

  it('depends on the size of an image, up to the largest', () => {
    expect(mediaTokens('anthropic', 'claude-sonnet-4-5').image(png(1_000, 1_000))).toBeGreaterThanOrEqual(1_334);
    expect(mediaTokens('anthropic', 'claude-sonnet-4-5').image(png(8_000, 8_000))).toBe(4_800);
    expect(mediaTokens('openai', 'gpt-5-mini').image(png(64, 64))).toBe(26);
    expect(mediaTokens('openai', 'gpt-4o').image(png(64, 64))).toBe(1_461);
    expect(mediaTokens('openai', 'gpt-9').image(Buffer.from('what is this'))).toBe(25_016);
    expect(mediaTokens('another', 'x').image(png(1, 1))).toBe(48_185);
  });

  it('depends on the pages of a document and the text on them', () => {
    expect(mediaTokens('anthropic', 'claude-sonnet-4-5').pdf(packed(100))).toMatchObject({
      most: 100 * (4_784 + 16 + 3_000),
    });
  });

  it('is the whole context if a document cannot be counted', () => {
    expect(mediaTokens('anthropic', 'claude-sonnet-4-5').pdf(Buffer.from('%PDF-1.7'))).toMatchObject({
      most: Number.MAX_SAFE_INTEGER,
    });
  });
});
