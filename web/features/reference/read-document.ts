// Converts the OpenAPI document for the reference page: operations by subject, schemas as flat lists of fields.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Content {
  readonly schema?: Schema;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

/** Or a reference under `components`, for errors that many routes share. */
export interface DocumentedAnswer {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, DocumentedAnswer>>;
  readonly security: readonly Readonly<Record<string, unknown>>[];
}

export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, DocumentedAnswer>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description?: string }>>;
  };
}

export interface Entry extends Operation {
  readonly method: string;
  readonly path: string;
}

export interface Section {
  readonly tag: string;
  readonly description: string;
  readonly entries: readonly Entry[];
}

/** The operations by subject; with search words, those that contain all of them in method, path or summary. */
export function listSections(document: ApiDocument, words: string): Section[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const entries = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): Entry => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
  const found = entries.filter(({ method, path, summary }) =>
    wanted.every((word) => `${method} ${path} ${summary}`.toLowerCase().includes(word)),
  );
  return document.tags
    .map(({ name, description = '' }) => ({
      tag: name,
      description,
      entries: found.filter(({ tags }) => tags.includes(name)),
    }))
    .filter(({ entries: ofTag }) => ofTag.length > 0);
}

export interface DocumentedRefusal {
  readonly status: string;
  readonly text: string;
}

/** The responses of an operation: its own in full, shared ones as a line. */
export function listAnswers(
  { components: { responses: shared = {} } }: ApiDocument,
  { responses }: Operation,
): { readonly own: readonly (readonly [string, DocumentedAnswer])[]; readonly refusals: readonly DocumentedRefusal[] } {
  const all = Object.entries(responses);
  const refusals = all.flatMap(([status, { $ref }]) =>
    $ref === undefined
      ? []
      : [{ status, text: shared[$ref.replace('#/components/responses/', '')]?.description ?? '' }],
  );
  return { own: all.filter(([, { $ref }]) => $ref === undefined), refusals };
}

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly note: string;
}

const DEEPEST = 4;

/** The position of a field in a schema. */
interface Spot {
  readonly name: string;
  readonly required: boolean;
  readonly depth: number;
}

/** Every field of a schema, nested ones by path: `message.text`, `threads[].id`. */
export function listFields(document: ApiDocument, schema: Schema | undefined, name = ''): Field[] {
  return fieldsAt(document, schema, { name, required: true, depth: 0 });
}

function fieldsAt(document: ApiDocument, schema: Schema | undefined, { name, required, depth }: Spot): Field[] {
  const found = resolve(document, schema);
  if (!found || depth > DEEPEST) return [];
  const unnamed: Spot = { name: '', required: true, depth };
  const own: Field[] = name === '' ? [] : [{ name, type: typeOf(document, found), required, note: noteOf(found) }];
  const inner = [...(found.anyOf ?? []), ...(found.oneOf ?? [])].flatMap((variant) =>
    fieldsAt(document, { ...variant, description: '' }, unnamed),
  );
  const fields = Object.entries(found.properties ?? {}).flatMap(([key, property]) =>
    fieldsAt(document, property, {
      name: name === '' ? key : `${name}.${key}`,
      required: found.required?.includes(key) ?? false,
      depth: depth + 1,
    }),
  );
  const items = found.items
    ? fieldsAt(document, found.items, unnamed).map((field) => ({ ...field, name: below(`${name}[]`, field.name) }))
    : [];
  const prefixed = name === '' ? inner : inner.map((field) => ({ ...field, name: below(name, field.name) }));
  return unique([...own, ...fields, ...items, ...prefixed]);
}

/** Names in an array variant start with brackets. */
function below(name: string, inner: string): string {
  return inner.startsWith('[') ? `${name}${inner}` : `${name}.${inner}`;
}

/** Variants often repeat each other's fields. */
function unique(fields: readonly Field[]): Field[] {
  return [...new Map(fields.map((field) => [`${field.name} ${field.type}`, field])).values()];
}

function resolve(document: ApiDocument, schema: Schema | undefined): Schema | undefined {
  const name = schema?.$ref?.replace('#/components/schemas/', '');
  return name === undefined ? schema : document.components.schemas[name];
}

function typeOf(document: ApiDocument, schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants)
    return [...new Set(variants.map((variant) => typeOf(document, resolve(document, variant) ?? {})))].join(' | ');
  if (schema.items) return `${typeOf(document, resolve(document, schema.items) ?? {})}[]`;
  const named = typeof schema.type === 'string' ? schema.type : schema.type?.join(' | ');
  return named === undefined ? 'any' : schema.format === undefined ? named : `${named} (${schema.format})`;
}

function noteOf({ description, minLength, maxLength, minimum, maximum }: Schema): string {
  const length = maxLength === undefined ? '' : `${minLength ?? 0} to ${maxLength} characters`;
  const range =
    minimum === undefined || maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER
      ? ''
      : `${minimum} to ${maximum}`;
  return [description, length, range].filter(Boolean).join(' · ');
}
