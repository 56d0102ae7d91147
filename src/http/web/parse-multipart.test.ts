import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMultipart } from './parse-multipart.ts';

const TYPE = 'multipart/form-data; boundary=xx';
const part = (headers: string, content: string): string => `--xx\r\n${headers}\r\n\r\n${content}\r\n`;
const read = (text: string, type = TYPE): unknown =>
  parseMultipart(Buffer.from(text), type)?.map(({ content, ...named }) => ({ ...named, content: content.toString() }));

it('reads what a client of the platform writes, whatever the file holds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ unit: fc.constantFrom('a', 'é', '"', ' ', ';', '.', '\\', '\n', '😀') }),
      async (bytes, filename) => {
        const form = new FormData();
        form.set('organization', 'org_1');
        form.set('file', new File([bytes], filename));
        const sent = new Response(form);
        const parts = parseMultipart(Buffer.from(await sent.arrayBuffer()), sent.headers.get('content-type') ?? '');
        expect(parts?.map(({ name }) => name)).toEqual(['organization', 'file']);
        expect(parts?.[0]?.content.toString()).toBe('org_1');
        expect(Buffer.compare(parts?.[1]?.content ?? Buffer.alloc(0), Buffer.from(bytes))).toBe(0);
      },
    ),
    { numRuns: 200 },
  );
});

describe('a form', () => {
  it.each([
    [
      'a field and a file',
      `${part('Content-Disposition: form-data; name="a"', '1')}${part('content-disposition: form-data; name="f"; filename="x \\"y\\".txt"\r\nContent-Type: text/plain', 'two\r\n--x')}--xx--\r\n`,
      [
        { name: 'a', filename: undefined, content: '1' },
        { name: 'f', filename: 'x "y".txt', content: 'two\r\n--x' },
      ],
    ],
    [
      'an empty part after a preamble',
      `preamble\r\n${part('Content-Disposition: form-data; name=a', '')}--xx--`,
      [{ name: 'a', filename: undefined, content: '' }],
    ],
    ['no part at all', '--xx--', []],
    ['no end', part('Content-Disposition: form-data; name="a"', '1'), undefined],
    ['no name', `${part('Content-Disposition: form-data', '1')}--xx--`, undefined],
    ['no headers', '--xx\r\nabc--xx--', undefined],
    ['nothing', '', undefined],
  ])('with %s', (_name, text, expected) => expect(read(text)).toEqual(expected));

  it('without a boundary, or with too many parts, is invalid', () => {
    expect(read('--xx--', 'multipart/form-data')).toBeUndefined();
    expect(read(`${part('Content-Disposition: form-data; name="a"', '1').repeat(21)}--xx--`)).toBeUndefined();
  });
});
