import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createJsonScanner, findJsonFault, JSON_LIMITS, type JsonFault, type JsonLimits } from './json-scanner.ts';

const LOOSE: JsonLimits = { depth: 1_000_000, values: 1_000_000_000 };

/** Strings full of what could be taken for structure. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('\\', '"', '[', ']', '{', '}', ',', ':', 'é', '😀', 'a'.repeat(90)), { maxLength: 40 })
    .map((parts) => parts.join('')),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    text,
    fc.double(),
    fc.constantFrom(null, true, false, [], {}),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(text, tie('value'), { maxKeys: 6 }),
  ),
}));

interface Measure {
  readonly values: number;
  readonly depth: number;
}

/** The same figures from the parsed value. */
function measure(parsed: unknown): Measure {
  if (typeof parsed !== 'object' || parsed === null) return { values: 0, depth: 0 };
  const parts = Object.values(parsed).map(measure);
  return {
    values: 1 + Math.max(0, parts.length - 1) + parts.reduce((sum, { values }) => sum + values, 0),
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
  };
}

function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const ends = [...at.map((end) => end % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
}

function scan(chunks: readonly Buffer[], limits: JsonLimits): { fault: JsonFault | undefined; values: number } {
  const scanner = createJsonScanner(limits);
  let fault: JsonFault | undefined;
  for (const chunk of chunks) fault ??= scanner.take(chunk);
  return { fault, values: scanner.values };
}

const cuts = fc.array(fc.nat(), { maxLength: 8 });
const written = fc.tuple(value, fc.constantFrom(undefined, 2, '\t')).map(([given, space]) => {
  const json = JSON.stringify(given, undefined, space);
  return { bytes: Buffer.from(json), ...measure(JSON.parse(json)) };
});

it('counts the values of any JSON, however its bytes arrive', () => {
  fc.assert(
    fc.property(written, cuts, ({ bytes, values }, at) => {
      expect(scan(cut(bytes, at), LOOSE)).toEqual({ fault: undefined, values });
      expect(
        scan(
          Array.from(bytes, (byte) => Buffer.of(byte)),
          LOOSE,
        ).values,
      ).toBe(values);
    }),
    { numRuns: 500 },
  );
});

it('refuses what holds more than the limits, and nothing else', () => {
  fc.assert(
    fc.property(written, cuts, fc.nat({ max: 8 }), fc.nat({ max: 30 }), ({ bytes, values, depth }, at, deep, most) => {
      const { fault } = scan(cut(bytes, at), { depth: deep, values: most });
      if (depth > deep) expect(fault).toBeDefined();
      else expect(fault).toBe(values > most ? 'holds too many values' : undefined);
    }),
    { numRuns: 500 },
  );
});

it('takes any bytes, and counts no less than a parser would see', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), cuts, (bytes, at) => {
      const whole = scan([Buffer.from(bytes)], LOOSE);
      expect(scan(cut(Buffer.from(bytes), at), LOOSE)).toEqual(whole);
    }),
  );
});

it('finds an escape at the end of a long string, across every boundary', () => {
  for (const slashes of [0, 1, 2, 3, 4]) {
    const bytes = Buffer.from(`["${'x'.repeat(100)}${'\\\\'.repeat(slashes)}\\"${'y'.repeat(100)}",[{}]]`);
    for (let at = 0; at <= bytes.length; at++)
      expect(scan([bytes.subarray(0, at), bytes.subarray(at)], LOOSE)).toEqual({ fault: undefined, values: 4 });
  }
});

it.each([
  ['[', 'is nested too deeply'],
  ['{"a":', 'is nested too deeply'],
  ['{},', 'holds too many values'],
  ['1,', 'holds too many values'],
] as const)('%j six hundred thousand times %s', (part, fault) => {
  expect(findJsonFault(Buffer.from(part.repeat(600_000)))).toBe(fault);
});

it('lets pass what providers take: 300,000 tokens to embed, 10,000 messages of a few fields', () => {
  const pass = (body: unknown): unknown => findJsonFault(Buffer.from(JSON.stringify(body)));
  expect(pass({ input: Array.from({ length: 2_048 }, () => Array.from({ length: 147 }, () => 7)) })).toBeUndefined();
  const part = { type: 'input_text', text: 'a', annotations: [], detail: { a: 1, b: 2, c: 3, d: 4, e: 5 } };
  const message = { role: 'user', id: 'b', status: 'c', content: [part, part], metadata: { a: 1, b: [1, 2, 3] } };
  expect(pass({ messages: Array.from({ length: 10_000 }, () => message) })).toBeUndefined();
  expect(JSON_LIMITS.depth).toBe(256);
});
