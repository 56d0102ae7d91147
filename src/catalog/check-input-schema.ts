// Checks the structure of a tool's input schema. Only a small, widely supported subset of JSON Schema is allowed, and
// every value has a bound, so a caller's input is limited before it is read.
import { isFilledText, isListOfText, isObject, type Loose } from './loose-json.ts';

const COMMON = ['type', 'description', 'examples'];

const KEYWORDS: Readonly<
  Record<string, { readonly required: readonly string[]; readonly optional: readonly string[] }>
> = {
  object: { required: ['properties', 'additionalProperties'], optional: ['required'] },
  map: { required: ['additionalProperties', 'maxProperties'], optional: [] },
  string: { required: ['maxLength'], optional: ['minLength', 'pattern'] },
  enum: { required: ['enum'], optional: [] },
  integer: { required: ['minimum', 'maximum'], optional: [] },
  number: { required: ['minimum', 'maximum'], optional: [] },
  boolean: { required: [], optional: [] },
  array: { required: ['items', 'maxItems'], optional: ['minItems', 'uniqueItems'] },
};

export function findSchemaFaults(schema: unknown): string[] {
  if (!isObject(schema) || schema['type'] !== 'object') return ['the root is not of type object'];
  return findNodeFaults(schema, 'inputSchema', false);
}

function findNodeFaults(node: unknown, at: string, described: boolean): string[] {
  if (!isObject(node)) return [`${at} is not a schema`];
  const kind = kindOf(node);
  const keywords = kind === undefined ? undefined : KEYWORDS[kind];
  if (kind === undefined || keywords === undefined) return [`${at} has type ${JSON.stringify(node['type'])}`];
  const known = [...COMMON, ...keywords.required, ...keywords.optional];
  return [
    ...Object.keys(node)
      .filter((key) => !known.includes(key))
      .map((key) => `${at} uses ${key}`),
    ...keywords.required.filter((key) => node[key] === undefined).map((key) => `${at} lacks ${key}`),
    ...(described && !isFilledText(node['description'], 200)
      ? [`${at} lacks a description of at most 200 characters`]
      : []),
    ...findExampleFaults(node, at),
    ...(FIND_BY_KIND[kind]?.(node, at) ?? []),
  ];
}

function kindOf({ type, enum: values, properties }: Loose): string | undefined {
  if (type === 'string' && values !== undefined) return 'enum';
  if (type === 'object' && properties === undefined) return 'map';
  return typeof type === 'string' && Object.hasOwn(KEYWORDS, type) ? type : undefined;
}

const FIND_BY_KIND: Readonly<Record<string, (node: Loose, at: string) => string[]>> = {
  object: ({ properties, required, additionalProperties }, at) => {
    if (!isObject(properties)) return [`${at}.properties is not an object`];
    const names = required === undefined ? [] : required;
    return [
      ...(additionalProperties === false ? [] : [`${at} is not closed`]),
      ...(isListOfText(names) && new Set(names).size === names.length ? names : ['(a list of distinct names)'])
        .filter((name) => !Object.hasOwn(properties, name))
        .map((name) => `${at}.required names ${name}, which is not a property`),
      ...Object.entries(properties).flatMap(([name, property]) => findNodeFaults(property, `${at}.${name}`, true)),
    ];
  },
  map: ({ additionalProperties, maxProperties }, at) => [
    ...(isCount(maxProperties) ? [] : [`${at}.maxProperties is not a count`]),
    ...findNodeFaults(additionalProperties, `${at}.*`, false),
  ],
  string: ({ minLength, maxLength, pattern }, at) => [
    ...(isCount(maxLength) && (minLength === undefined || (isCount(minLength) && minLength <= maxLength))
      ? []
      : [`${at} has no valid length bounds`]),
    ...(pattern === undefined || compiles(pattern) ? [] : [`${at}.pattern does not compile`]),
  ],
  enum: ({ enum: values }, at) =>
    isListOfText(values) && values.length > 0 && new Set(values).size === values.length
      ? []
      : [`${at}.enum is not a list of distinct texts`],
  integer: findRangeFaults,
  number: findRangeFaults,
  array: ({ items, minItems, maxItems }, at) => [
    ...(isCount(maxItems) && (minItems === undefined || (isCount(minItems) && minItems <= maxItems))
      ? []
      : [`${at} has no valid size bounds`]),
    ...findNodeFaults(items, `${at}[]`, false),
  ],
};

function findRangeFaults({ minimum, maximum }: Loose, at: string): string[] {
  return typeof minimum === 'number' && typeof maximum === 'number' && minimum <= maximum
    ? []
    : [`${at} has no valid range`];
}

function findExampleFaults({ type, examples, pattern, maxLength }: Loose, at: string): string[] {
  if (examples === undefined) return [];
  if (!Array.isArray(examples) || examples.length === 0) return [`${at}.examples is not a non-empty list`];
  if (type !== 'string') return [];
  const fits = (example: unknown): boolean =>
    typeof example === 'string' &&
    example.length <= Number(maxLength) &&
    (!compiles(pattern) || new RegExp(String(pattern), 'u').test(example));
  return examples.every(fits) ? [] : [`${at}.examples does not fit the schema`];
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function compiles(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false;
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
