import { deflateRawSync, deflateSync, inflateRawSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inflate, TooManyBytesError } from './inflate.ts';

const content = fc
  .array(fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 4_000 })), { maxLength: 6 })
  .map((runs) => Buffer.concat(runs.flatMap(([piece, times]) => Array.from({ length: times }, () => piece))));

it('gives back what was deflated, at every level, with and without a head, whatever follows it', () => {
  fc.assert(
    fc.property(content, fc.boolean(), fc.integer({ min: 0, max: 9 }), fc.uint8Array(), (bytes, raw, level, tail) => {
      const packed = (raw ? deflateRawSync : deflateSync)(bytes, { level });
      expect(inflate(Buffer.concat([packed, tail]), { raw, mostBytes: bytes.length }).equals(bytes)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

it('refuses a byte too many, and a stream that is cut', () => {
  fc.assert(
    fc.property(content, fc.boolean(), fc.nat(), (bytes, raw, cut) => {
      const packed = (raw ? deflateRawSync : deflateSync)(bytes);
      if (bytes.length > 0)
        expect(() => inflate(packed, { raw, mostBytes: bytes.length - 1 })).toThrow(TooManyBytesError);
      const half = packed.subarray(0, cut % packed.length);
      expect(() => inflate(half, { raw, mostBytes: bytes.length })).toThrow(Error);
    }),
    { numRuns: 200 },
  );
});

it('reads nothing that zlib does not, and reads the same where both read it', () => {
  const read = (from: () => Buffer): string | undefined => {
    try {
      return from().toString('base64');
    } catch {
      return undefined;
    }
  };
  fc.assert(
    fc.property(content, fc.boolean(), fc.nat(), fc.nat(255), (bytes, raw, at, value) => {
      const packed = (raw ? deflateRawSync : deflateSync)(bytes);
      packed[at % packed.length] = value;
      const most = 2 * 1024 * 1024;
      expect(read(() => inflate(packed, { raw, mostBytes: most }))).toBe(
        read(() => (raw ? inflateRawSync : inflateSync)(packed, { maxOutputLength: most })),
      );
    }),
    { numRuns: 500 },
  );
});
