// Converts a configuration to form values and back. Fields without a control are kept, so that settings made through
// the API survive an edit.

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type Config = Record<string, Json>;

export type ConfigField = {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
} & (
  | { readonly control: 'text' | 'lines' | 'topics' | 'json' }
  | { readonly control: 'number'; readonly min: number; readonly max: number }
  | { readonly control: 'switch'; readonly initial: boolean }
  | { readonly control: 'choice' | 'checks'; readonly options: Readonly<Record<string, string>> }
);

export type ConfigDraft = Record<string, string | number | boolean | string[]>;

/** A value that is not an object has none of the fields. */
export function asConfig(json: Json): Config {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : {};
}

export function draftOf(fields: readonly ConfigField[], config: Config): ConfigDraft {
  return Object.fromEntries(fields.map((field) => [field.name, show(field, config[field.name])]));
}

/** Throws a SyntaxError if a JSON field is invalid; call `findJsonFaults` first. */
export function configOf(fields: readonly ConfigField[], draft: ConfigDraft, before: Config = {}): Config {
  const known = new Set(fields.map(({ name }) => name));
  const kept = Object.entries(before).filter(([name]) => !known.has(name));
  const set = fields.flatMap((field): [string, Json][] => {
    const value = read(field, draft[field.name] ?? '');
    return value === undefined ? [] : [[field.name, value]];
  });
  return Object.fromEntries([...kept, ...set]);
}

/** The names of JSON fields with invalid JSON. */
export function findJsonFaults(fields: readonly ConfigField[], draft: ConfigDraft): string[] {
  return fields
    .filter((field) => {
      try {
        return field.control === 'json' && read(field, draft[field.name] ?? '') === null;
      } catch {
        return true;
      }
    })
    .map(({ name }) => name);
}

function show(field: ConfigField, value: Json | undefined): ConfigDraft[string] {
  switch (field.control) {
    case 'switch':
      return typeof value === 'boolean' ? value : field.initial;
    case 'number':
      return typeof value === 'number' ? value : '';
    case 'checks':
      return Array.isArray(value) ? value.map(String) : Object.keys(field.options);
    case 'choice':
      return typeof value === 'string' ? value : (Object.keys(field.options)[0] ?? '');
    case 'lines':
      return Array.isArray(value) ? value.map(String).join('\n') : '';
    case 'topics':
      return Array.isArray(value) ? value.map(showTopic).join('\n') : '';
    case 'json':
      return value === undefined ? '' : JSON.stringify(value, null, 2);
    case 'text':
      return typeof value === 'string' ? value : '';
  }
}

function read(field: ConfigField, value: ConfigDraft[string]): Json | undefined {
  switch (field.control) {
    case 'switch':
      return value === true;
    case 'number':
      return value === '' || Number.isNaN(Number(value)) ? undefined : Number(value);
    case 'checks': {
      const chosen = Array.isArray(value) ? value : [];
      // A missing list means all of them.
      return chosen.length === Object.keys(field.options).length ? undefined : chosen;
    }
    case 'choice':
      return String(value);
    case 'lines':
      return linesOf(value);
    case 'topics':
      return linesOf(value)?.map(readTopic);
    case 'json':
      return String(value).trim() === '' ? undefined : (JSON.parse(String(value)) as Json);
    case 'text':
      return value === '' ? undefined : String(value);
  }
}

export function linesOf(value: unknown): string[] | undefined {
  const lines = String(value)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.length === 0 ? undefined : lines;
}

/** A custom topic is written `name: term, term`. */
function readTopic(line: string): Json {
  const at = line.indexOf(':');
  if (at < 1) return line;
  const terms = line
    .slice(at + 1)
    .split(',')
    .map((term) => term.trim())
    .filter((term) => term !== '');
  return { name: line.slice(0, at).trim(), terms };
}

function showTopic(topic: Json): string {
  if (topic === null || typeof topic !== 'object' || Array.isArray(topic)) return String(topic);
  return `${String(topic.name)}: ${Array.isArray(topic.terms) ? topic.terms.join(', ') : ''}`;
}
