// The shape of an answer stands in the instructions where the request has no field for it, or says only that it wants
// JSON: a JSON object and nothing else, mostly with its JSON Schema behind a colon.
import type { Asked, Schema } from './asked.ts';
import { isObject } from './rules/loose.ts';

const ASKS_FOR_JSON = /\bone JSON object and nothing else\b/i;
const BEFORE_SCHEMA = /JSON Schema:\s*/i;

/** Undefined where no shape is asked for; empty where nobody says which. */
export function findSchema({ schema, system }: Pick<Asked, 'schema' | 'system'>): Schema | undefined {
  if (schema !== undefined && Object.keys(schema).length > 0) return schema;
  return schema !== undefined || ASKS_FOR_JSON.test(system) ? readSchema(system) : undefined;
}

function readSchema(system: string): Schema {
  const [, text = ''] = system.split(BEFORE_SCHEMA, 2);
  const [line = ''] = text.split('\n', 1);
  try {
    const schema: unknown = JSON.parse(line);
    return isObject(schema) ? schema : {};
  } catch {
    return {};
  }
}
