import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cacheKey, type KeyPart } from './cache-key.ts';

const part = fc.letrec<{ part: KeyPart }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 2 },
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', ' ', '\n', '"', '","', '[', ']', 'null', 'true', '1', '\ud800', '\\ud800', '\udfff'),
      fc.constantFrom('default{"a":false}', '\ngithub default'),
    ),
    fc.boolean(),
    fc.integer(),
    fc.constant(null),
    fc.array(tie('part'), { maxLength: 3 }),
  ),
})).part;
const parts = fc.array(part, { maxLength: 4 });

it('is equal for equal parts and for no others', () => {
  fc.assert(
    fc.property(parts, parts, (a, b) => {
      expect(JSON.parse(cacheKey(...a))).toEqual(a);
      expect(cacheKey(...a) === cacheKey(...b)).toBe(isSame(a, b));
    }),
    { numRuns: 500 },
  );
});

it('distinguishes parts that would be equal if joined', () => {
  const alike: KeyPart[][] = [
    ['a b'],
    ['a', 'b'],
    ['a', ' b'],
    ['a,b'],
    ['a","b'],
    [['a', 'b']],
    ['a', 'b', ''],
    ['a', 'b', null],
    ['null'],
    [null],
    ['1'],
    [1],
    ['true'],
    [true],
    ['\ud800'],
    ['\udbff'],
    ['\\ud800'],
    ['\ufffd'],
  ];
  expect(new Set(alike.map((each) => cacheKey(...each))).size).toBe(alike.length);
});

/** The parts are this service's own: the methods and paths of its routes; ids, which have no colon, and a time. */
const OWN_TEXTS_ONLY = ['http/openapi.ts', 'runs/schedules/fire-schedule.ts', 'runs/triggers/deliveries.ts'];

/** A key that is put together as text: in a variable, by a function of that name, or where a map is asked. */
const JOINED = [
  /\b(?:const|let) (?:k|\w*K)ey(?:Of)?(?:: [^=\n]+)? \+?= (?:\([^\n]*\)(?:: \w+)? => )?`[^`]*\$\{/g,
  /\b(?:k|\w*K)ey \+= `[^`]*\$\{/g,
  /\bfunction (?:k|\w*K)ey(?:Of)?\([^\n]*\{\s*return `[^`]*\$\{/g,
  /\.(?:get|has|delete|take|wait|forget)\(`[^`]*\$\{/g,
];

it('is how every key of several parts is made', () => {
  const root = join(import.meta.dirname, '..');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !OWN_TEXTS_ONLY.includes(file),
  );
  expect(sources.length).toBeGreaterThan(500);
  const found = sources.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return JOINED.flatMap((pattern) => text.match(pattern) ?? []).map((line) => `${file}: ${line}`);
  });
  expect(found).toEqual([]);
});

function isSame(a: KeyPart, b: KeyPart): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((each: KeyPart, at) => isSame(each, b[at] as KeyPart));
}
