import { z } from 'zod';
import { defineKind, findSpans } from './kind-row.ts';

const schema = z
  .looseObject({
    pattern: z.string().max(1_000).default(''),
    flags: z
      .string()
      .regex(/^[imsuv]{0,5}$/, 'takes i, m, s, u and v')
      .default(''),
  })
  .refine(({ pattern, flags }) => compiles(pattern, flags), {
    path: ['pattern'],
    message: 'is not a valid regular expression',
  });

export const regex = defineKind(schema, (text, { pattern, flags }) =>
  pattern === '' ? [] : findSpans(text, new RegExp(pattern, `${flags}g`)),
);

function compiles(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
}
