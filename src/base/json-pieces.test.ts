import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonPieces } from './json-pieces.ts';

const whole = (value: unknown): string => [...jsonPieces(value)].join('');

it('writes what JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(whole(value)).toBe(JSON.stringify(value));
    }),
  );
  expect(whole({ a: undefined, b: [undefined, 1], c: {} })).toBe('{"b":[null,1],"c":{}}');
});

it('cuts a long text anywhere, also between the halves of a character', () => {
  const value = { text: ['x', '😀'.repeat(200_000), '"\n\u0000'.repeat(50_000)] };
  const pieces = [...jsonPieces(value)];
  expect(JSON.parse(pieces.join(''))).toEqual(value);
  // One escaped piece of a text, and what was collected before it.
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(7 * 64 * 1024);
});
