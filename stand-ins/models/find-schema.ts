// If the request has no field for the answer's schema, or only asks for JSON, the instructions describe it: a JSON object
// and nothing else, usually with its JSON Schema after a colon.
import type { DemoRequest, Schema } from './demo-request.ts';
import { isObject } from './rules/loose.ts';

const ASKS_FOR_JSON = /\bone JSON object and nothing else\b/i;
const BEFORE_SCHEMA = /JSON Schema:\s*/i;

/** Undefined if no JSON is requested; empty if no schema is given. */
export function findSchema({ schema, system }: Pick<DemoRequest, 'schema' | 'system'>): Schema | undefined {
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
