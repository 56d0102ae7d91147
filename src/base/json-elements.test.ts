import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BrokenJsonError, createJsonSplitter } from './json-elements.ts';

function split(text: string | Buffer, chunk = 7, mostBytes = 1_000): (string | number)[] {
  const bytes = Buffer.from(text);
  const splitter = createJsonSplitter(mostBytes);
  const found: (string | number)[] = [];
  for (let at = 0; at < bytes.length; at += chunk)
    for (const element of splitter.take(bytes.subarray(at, at + chunk)))
      found.push(element.tooLarge ?? element.bytes.toString());
  splitter.end();
  return found;
}

it('returns the elements of a list, or the only value, wherever the pieces are cut', () => {
  const values = fc.oneof(
    fc.array(fc.jsonValue()),
    fc.dictionary(fc.string(), fc.jsonValue()),
    fc.string({ unit: 'grapheme' }),
  );
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 40 }), fc.constantFrom(0, 2), (value, chunk, spaces) => {
      const found = split(JSON.stringify(value, null, spaces), chunk, 1e6).map((text) => JSON.parse(String(text)));
      expect(found).toEqual(JSON.parse(JSON.stringify(Array.isArray(value) ? value : [value])));
    }),
  );
});

it('passes over an element that is too large', () => {
  expect(split(JSON.stringify([1, 'x'.repeat(2_000), { a: 2 }]))).toEqual(['1', 2_002, '{"a":2}']);
});

it('ignores a byte order mark', () => expect(split(Buffer.from('\uFEFF[{}]'))).toEqual(['{}']));

it.each(['', '[', '[1', '[{}', '[{} {}]', '[,]', '[1,,2]', '[] x', '{"a":1', '"abc', '{}{}'])('refuses %s', (text) => {
  expect(() => split(text)).toThrow(BrokenJsonError);
});

it('throws nothing else, whatever the bytes are', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        split(Buffer.from(bytes));
      } catch (error) {
        expect(error).toBeInstanceOf(BrokenJsonError);
      }
    }),
  );
});
