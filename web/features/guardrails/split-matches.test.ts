import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitMatches } from './split-matches.ts';

describe('a text split at its matches', () => {
  it('marks the matches and leaves the rest', () => {
    expect(splitMatches('mail ada@x.org now', [{ kind: 'pii', start: 5, end: 14 }])).toEqual([
      { text: 'mail ', start: 0, kinds: [] },
      { text: 'ada@x.org', start: 5, kinds: ['pii'] },
      { text: ' now', start: 14, kinds: [] },
    ]);
  });

  it('keeps the matches of a text without any', () => {
    expect(splitMatches('nothing', [])).toEqual([{ text: 'nothing', start: 0, kinds: [] }]);
    expect(splitMatches('', [])).toEqual([]);
  });

  it('lists the kinds of each segment, however they overlap, and loses no character', () => {
    const match = fc.record({
      kind: fc.constantFrom('a', 'b', 'c'),
      start: fc.nat(20),
      size: fc.integer({ min: 0, max: 10 }),
    });
    fc.assert(
      fc.property(fc.array(match, { maxLength: 8 }), (drawn) => {
        const text = 'abcdefghijklmnopqrstuvwxyz1234';
        const matches = drawn.map(({ kind, start, size }) => ({
          kind,
          start,
          end: Math.min(text.length, start + size),
        }));
        const stretches = splitMatches(text, matches);
        expect(stretches.map((stretch) => stretch.text).join('')).toBe(text);
        for (const { text: part, start, kinds } of stretches) {
          for (let offset = start; offset < start + part.length; offset++) {
            const covering = new Set(
              matches.filter((each) => each.start <= offset && offset < each.end).map(({ kind }) => kind),
            );
            expect(new Set(kinds)).toEqual(covering);
          }
        }
      }),
    );
  });
});
