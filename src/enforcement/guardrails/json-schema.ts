// The text must be JSON that the schema accepts; otherwise the whole text is the match. Schemas are user input, so
// keywords that can make validation arbitrarily slow are rejected: patterns (the regex kind covers those), references
// (they recurse) and uniqueItems (it compares every pair).
import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { defineKind } from './kind-row.ts';

const NOT_TAKEN = ['pattern', 'patternProperties', 'uniqueItems', '$ref', '$dynamicRef', '$recursiveRef'] as const;
/** Below these keys, names are the user's own and not schema keywords. */
const NAMES_BELOW = new Set(['properties', '$defs', 'definitions', 'dependentSchemas', 'dependentRequired']);
const VALUES_BELOW = new Set(['const', 'enum', 'default', 'examples', 'required']);

const schema = z.looseObject({
  schema: z
    .union([z.boolean(), z.record(z.string(), z.unknown())])
    .default({})
    .superRefine((given, context) => {
      const fault = findKeyword(given) ?? findCompileFault(given);
      if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
    }),
});

export const jsonSchema = defineKind(schema, (text, { schema: given }) =>
  accepts(given, text) ? [] : [{ start: 0, end: text.length }],
);

function accepts(given: boolean | Record<string, unknown>, text: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  return compile(given)(value) === true;
}

function compile(given: boolean | Record<string, unknown>): (value: unknown) => unknown {
  // A new instance each time, because an instance remembers every schema it has compiled.
  return new Ajv2020({ strict: false, validateFormats: false, logger: false, addUsedSchema: false }).compile(given);
}

function findCompileFault(given: boolean | Record<string, unknown>): string | undefined {
  try {
    compile(given);
    return undefined;
  } catch {
    return 'is not a valid JSON Schema (2020-12)';
  }
}

function findKeyword(part: unknown, isNames = false): string | undefined {
  if (typeof part !== 'object' || part === null) return undefined;
  for (const [key, value] of Object.entries(part)) {
    if (!isNames && !Array.isArray(part)) {
      if ((NOT_TAKEN as readonly string[]).includes(key)) return `must not use ${key}`;
      if (VALUES_BELOW.has(key)) continue;
    }
    const fault = findKeyword(value, !isNames && NAMES_BELOW.has(key));
    if (fault !== undefined) return fault;
  }
  return undefined;
}
