import fc from 'fast-check';
import { expect, test } from 'vitest';
import { embedText } from './embed-text.ts';

function nearness(one: string, other: string): number {
  const [left, right] = [embedText(one, 1536), embedText(other, 1536)];
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
}

test('every text has a vector of length one, whatever it holds', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(' ', 'a', 'B', 'é', '7', '漢', '🙂', '.', '\ud83d', '\u0301') }),
      fc.integer({ min: 1, max: 300 }),
      (text, dimensions) => {
        const vector = embedText(text, dimensions);
        expect(vector).toHaveLength(dimensions);
        expect(Math.hypot(...vector)).toBeCloseTo(1, 9);
      },
    ),
  );
});

test('the same text has the same vector', () => {
  expect(embedText('The quarterly report', 256)).toEqual(embedText('The quarterly report', 256));
  expect(nearness('The quarterly report', 'the QUARTERLY report!')).toBeCloseTo(1, 9);
});

test('texts that share words lie nearer to each other than texts that do not', () => {
  const question = 'How do I renew my passport?';
  expect(nearness(question, 'Renewing a passport: how to renew yours')).toBeGreaterThan(0.3);
  expect(nearness(question, 'Bread needs flour, water and salt')).toBeLessThan(0.1);
});

test('words of one stem lie near each other', () => {
  expect(nearness('connection', 'connections')).toBeGreaterThan(nearness('connection', 'receipt') + 0.2);
});
