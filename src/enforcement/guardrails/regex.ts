import { z } from 'zod';
import { defineKind, MOST_MATCHES } from './kind-row.ts';
import { runRegex } from './run-regex.ts';

const schema = z
  .looseObject({
    pattern: z.string().max(1_000).default(''),
    flags: z.string().regex(/^[imsuv]{0,5}$/, 'takes i, m, s, u and v').default(''),
  })
  .refine(({ pattern, flags }) => compiles(pattern, flags), { path: ['pattern'], message: 'is not a valid regular expression' });

/** Written by a user, so it is run where it can be stopped. */
export const regex = defineKind(schema, (text, { pattern, flags }) => (pattern === '' ? [] : runRegex({ pattern, flags, text, most: MOST_MATCHES })));

function compiles(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
}
