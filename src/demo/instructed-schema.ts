// A protocol without a field for the shape of an answer has it in the instructions: a JSON object and nothing else,
// mostly with its JSON Schema behind a colon.
import type { Schema } from './asked.ts';
import { isObject } from './rules/loose.ts';

const ASKS_FOR_JSON = /\bone JSON object and nothing else\b/i;
const BEFORE_SCHEMA = /JSON Schema:\s*/i;

/** Undefined where the instructions ask for no shape; empty where they do not say which. */
export function instructedSchema(system: string): Schema | undefined {
  if (!ASKS_FOR_JSON.test(system)) return undefined;
  const [, text = ''] = system.split(BEFORE_SCHEMA, 2);
  const [line = ''] = text.split('\n', 1);
  try {
    const schema: unknown = JSON.parse(line);
    return isObject(schema) ? schema : {};
  } catch {
    return {};
  }
}
