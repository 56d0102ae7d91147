// Converts a tool's JSON Schema to form fields. What a form cannot show well becomes a JSON field. Pure.

interface FieldBase {
  /** The path to it. */
  readonly path: readonly string[];
  readonly name: string;
  readonly description: string | undefined;
  readonly required: boolean;
  readonly example: string | undefined;
}

export type Field = FieldBase &
  (
    | { readonly kind: 'text'; readonly long: boolean }
    | { readonly kind: 'number'; readonly whole: boolean }
    | { readonly kind: 'flag' }
    /** Each choice as JSON text. */
    | { readonly kind: 'choice'; readonly choices: readonly string[] }
    | { readonly kind: 'list'; readonly of: 'string' | 'number' | 'integer' }
    | { readonly kind: 'group'; readonly fields: readonly Field[] }
    | { readonly kind: 'json' }
  );

type Schema = Readonly<Record<string, unknown>>;

/** Longer texts get a multi-line field. */
const LONG_TEXT = 1_000;
const DEEPEST = 4;

export function readSchema(schema: unknown): readonly Field[] {
  return fieldsOf(asRecord(schema), []);
}

export function fieldId({ path }: Pick<Field, 'path'>): string {
  return path.join('/');
}

function fieldsOf(schema: Schema, path: readonly string[]): Field[] {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(asRecord(schema.properties)).map(([name, property]) =>
    toField(asRecord(property), [...path, name], required.has(name)),
  );
}

function toField(schema: Schema, path: readonly string[], required: boolean): Field {
  const base: FieldBase = {
    path,
    name: path.at(-1) ?? '',
    description: asText(schema.description),
    required,
    example: Array.isArray(schema.examples) && schema.examples.length > 0 ? asExample(schema.examples[0]) : undefined,
  };
  if (Array.isArray(schema.enum))
    return { ...base, kind: 'choice', choices: schema.enum.map((choice) => JSON.stringify(choice)) };
  if (schema.type === 'string')
    return {
      ...base,
      kind: 'text',
      long: typeof schema.maxLength === 'number' && schema.maxLength > LONG_TEXT && schema.pattern === undefined,
    };
  if (schema.type === 'integer' || schema.type === 'number')
    return { ...base, kind: 'number', whole: schema.type === 'integer' };
  if (schema.type === 'boolean') return { ...base, kind: 'flag' };
  const of = asRecord(schema.items).type;
  if (
    schema.type === 'array' &&
    (of === 'string' || of === 'number' || of === 'integer') &&
    asRecord(schema.items).enum === undefined
  )
    return { ...base, kind: 'list', of };
  const inside = schema.type === 'object' && path.length < DEEPEST ? fieldsOf(schema, path) : [];
  return inside.length > 0 ? { ...base, kind: 'group', fields: inside } : { ...base, kind: 'json' };
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function asExample(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function asRecord(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}
