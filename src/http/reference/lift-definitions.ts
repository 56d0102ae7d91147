import { isDeepStrictEqual } from 'node:util';

type Schemas = Record<string, object>;

const LOCAL = '#/$defs/';

/**
 * Named schemas appear once in the document, under `components`, instead of wherever they are used. One name is one
 * schema.
 */
export function liftDefinitions<T extends object>(part: T): { readonly part: T; readonly schemas: Schemas } {
  const schemas: Schemas = {};
  const lifted = JSON.parse(JSON.stringify(part), (key, value: unknown) => {
    if (key === '$ref' && typeof value === 'string' && value.startsWith(LOCAL))
      return `#/components/schemas/${value.slice(LOCAL.length)}`;
    if (typeof value !== 'object' || value === null || !('$defs' in value)) return value;
    const { $defs, ...rest } = value as { $defs: Schemas };
    for (const [name, schema] of Object.entries($defs)) {
      const known = schemas[name];
      if (known !== undefined && !isDeepStrictEqual(known, schema)) throw new Error(`two schemas are called ${name}`);
      schemas[name] = schema;
    }
    return rest;
  }) as T;
  return { part: lifted, schemas };
}
