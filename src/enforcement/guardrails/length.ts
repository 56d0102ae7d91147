// Too long: what is past the limit is the match. Too short: the whole text is.
import { z } from 'zod';
import { defineKind, type Span } from './kind-row.ts';

const limit = z.number().int().min(0).max(10_000_000).optional();

const schema = z
  .looseObject({ min: limit, max: limit, unit: z.enum(['characters', 'words']).default('characters') })
  .refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
    path: ['min'],
    message: 'must not be more than max',
  });

export const length = defineKind(schema, (text, { min, max, unit }): Span[] => {
  const starts = unit === 'words' ? Array.from(text.matchAll(/\S+/g), ({ index }) => index) : characterStarts(text);
  const over = max === undefined ? undefined : starts[max];
  if (over !== undefined) return [{ start: over, end: text.length }];
  return min !== undefined && starts.length < min ? [{ start: 0, end: text.length }] : [];
});

/** People count characters, not the units that a string is stored in. */
function characterStarts(text: string): number[] {
  const starts: number[] = [];
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) starts.push(at);
  return starts;
}
