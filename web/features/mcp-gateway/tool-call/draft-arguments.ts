// The values of a tool's form and the arguments they stand for. A draft has a text per field; empty ones are not sent.
// Pure.
import { tryStrings as strings } from './strings.ts';
import { type Field, fieldId } from './read-schema.ts';

/** By field id. */
export type ArgumentsDraft = Readonly<Record<string, string>>;

export interface Drafted {
  readonly value: Readonly<Record<string, unknown>>;
  /** Errors by field id. */
  readonly faults: Readonly<Record<string, string>>;
}

export function toArguments(fields: readonly Field[], draft: ArgumentsDraft): Drafted {
  const value: Record<string, unknown> = {};
  const faults: Record<string, string> = {};
  for (const field of fields) {
    if (field.kind === 'group') {
      const inside = toArguments(field.fields, draft);
      const given =
        Object.keys(inside.value).length > 0 ||
        Object.values(inside.faults).some((fault) => fault !== strings.required);
      // Required fields of an untouched optional group are not required.
      if (!given && !field.required) continue;
      value[field.name] = inside.value;
      Object.assign(faults, inside.faults);
      continue;
    }
    const text = draft[fieldId(field)] ?? '';
    if (text.trim() === '') {
      if (field.required) faults[fieldId(field)] = strings.required;
      continue;
    }
    const read = readText(field, text);
    if ('fault' in read) faults[fieldId(field)] = read.fault;
    else value[field.name] = read.value;
  }
  return { value, faults };
}

type Read = { readonly value: unknown } | { readonly fault: string };

function readText(field: Exclude<Field, { kind: 'group' }>, text: string): Read {
  if (field.kind === 'text') return { value: text };
  if (field.kind === 'number') return readNumber(text, field.whole);
  if (field.kind === 'list') return readList(text, field.of);
  return readJson(text);
}

function readNumber(text: string, whole: boolean): Read {
  const value = Number(text.trim());
  if (!Number.isFinite(value)) return { fault: strings.numberInvalid };
  return whole && !Number.isInteger(value) ? { fault: strings.integerInvalid } : { value };
}

/** One per line. */
function readList(text: string, of: 'string' | 'number' | 'integer'): Read {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (of === 'string') return { value: lines };
  const numbers = lines.map((line) => readNumber(line, of === 'integer'));
  return (
    numbers.find((read) => 'fault' in read) ?? {
      value: numbers.map((read) => ('value' in read ? read.value : undefined)),
    }
  );
}

function readJson(text: string): Read {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { fault: strings.fieldJsonInvalid };
  }
}

/** The draft for these arguments; undefined if the form cannot show all of them. */
export function toDraft(
  fields: readonly Field[],
  value: Readonly<Record<string, unknown>>,
): ArgumentsDraft | undefined {
  const draft: Record<string, string> = {};
  const known = new Map(fields.map((field) => [field.name, field]));
  for (const [name, given] of Object.entries(value)) {
    const field = known.get(name);
    if (field === undefined) return undefined;
    if (field.kind === 'group') {
      const inside = isRecord(given) ? toDraft(field.fields, given) : undefined;
      if (inside === undefined) return undefined;
      Object.assign(draft, inside);
      continue;
    }
    const text = writeText(field, given);
    if (text === undefined) return undefined;
    draft[fieldId(field)] = text;
  }
  return draft;
}

function writeText(field: Exclude<Field, { kind: 'group' }>, given: unknown): string | undefined {
  if (field.kind === 'text') return typeof given === 'string' ? given : undefined;
  if (field.kind === 'list')
    return Array.isArray(given) &&
      given.every((item) => typeof item === 'number' || (typeof item === 'string' && !item.includes('\n')))
      ? given.join('\n')
      : undefined;
  const text = JSON.stringify(given);
  if (field.kind === 'number') return typeof given === 'number' ? text : undefined;
  if (field.kind === 'flag') return typeof given === 'boolean' ? text : undefined;
  if (field.kind === 'choice') return field.choices.includes(text) ? text : undefined;
  return JSON.stringify(given, undefined, 2);
}

/** A JSON object, or undefined. */
export function readArguments(text: string): Record<string, unknown> | undefined {
  const read = readJson(text.trim() === '' ? '{}' : text);
  return 'value' in read && isRecord(read.value) ? read.value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
