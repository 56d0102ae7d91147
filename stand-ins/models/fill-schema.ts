// The smallest value that satisfies a JSON schema, filled from the user's message where possible: for the arguments of a
// tool call, and for an answer that must be JSON.
import type { Schema } from './demo-request.ts';

const LONGEST_TEXT = 200;
const DEEPEST = 6;

export function fillObject(schema: Schema, said: string): Record<string, unknown> {
  const value = fill({ ...schema, type: 'object' }, said, 0);
  return isObject(value) ? value : {};
}

function fill(schema: Schema, said: string, depth: number): unknown {
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum))
    return schema.enum.find((one) => typeof one === 'string' && mentions(said, one)) ?? schema.enum[0];
  const alternative = [schema.anyOf, schema.oneOf]
    .flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
    .find(isObject);
  if (alternative) return fill(alternative, said, depth + 1);
  switch (Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type) {
    case 'object':
      return fillProperties(schema, said, depth);
    case 'array':
      return depth < DEEPEST && isObject(schema.items) && schema.minItems !== 0
        ? [fill(schema.items, said, depth + 1)]
        : [];
    case 'number':
    case 'integer':
      return fillNumber(schema, said);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return fillText(schema, said);
  }
}

function fillProperties(schema: Schema, said: string, depth: number): Record<string, unknown> {
  if (depth > DEEPEST || !isObject(schema.properties)) return {};
  const { properties } = schema;
  const required = Array.isArray(schema.required)
    ? schema.required.filter((name) => typeof name === 'string')
    : Object.keys(properties);
  return Object.fromEntries(
    required.map((name) => [name, fill(isObject(properties[name]) ? properties[name] : {}, said, depth + 1)]),
  );
}

function fillNumber(schema: Schema, said: string): number {
  const found = Number(/-?\d{1,9}(\.\d{1,6})?/.exec(said)?.[0] ?? 1);
  const whole = schema.type === 'integer' ? Math.trunc(found) : found;
  const least = typeof schema.minimum === 'number' ? Math.max(schema.minimum, whole) : whole;
  return typeof schema.maximum === 'number' ? Math.min(schema.maximum, least) : least;
}

/** Text in quotes is used literally; otherwise the whole message. */
function fillText(schema: Schema, said: string): string {
  const quoted = /["“`']([^"”`']{1,200})["”`']/.exec(said)?.[1];
  const most = typeof schema.maxLength === 'number' ? Math.min(schema.maxLength, LONGEST_TEXT) : LONGEST_TEXT;
  const text = (quoted ?? said).trim().slice(0, most).toWellFormed();
  return text === '' ? 'demo'.slice(0, most) : text;
}

function mentions(said: string, word: string): boolean {
  return said.toLowerCase().includes(word.toLowerCase());
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
