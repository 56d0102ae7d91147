// Reads the arguments of a tool from the command line. `--arg name=value` takes its type from the tool's schema; without
// a schema it is a string.
import { usage } from '../failure.ts';

type Schema = Readonly<Record<string, unknown>>;

export function readArguments(pairs: readonly string[], schema: Schema | undefined): Record<string, unknown> {
  const given: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1) throw usage('--arg takes name=value');
    const [name, text] = [pair.slice(0, at), pair.slice(at + 1)];
    const wanted = typesOf((schema?.['properties'] as Record<string, Schema> | undefined)?.[name]);
    const value = convert(name, text, wanted);
    const before = given[name];
    // Repeating a name appends to an array.
    if (before === undefined) given[name] = wanted.includes('array') && !Array.isArray(value) ? [value] : value;
    else if (wanted.includes('array'))
      given[name] = [...(before as unknown[]), ...(Array.isArray(value) ? (value as unknown[]) : [value])];
    else throw usage(`--arg ${name} is given twice`);
  }
  return { ...given };
}

function typesOf(schema: Schema | undefined): readonly string[] {
  const type = schema?.['type'];
  return typeof type === 'string' ? [type] : Array.isArray(type) ? (type as string[]) : [];
}

function convert(name: string, text: string, types: readonly string[]): unknown {
  if (types.includes('string') || types.length === 0) return text;
  if (types.some((type) => type === 'number' || type === 'integer') && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text))
    return Number(text);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (types.some((type) => type === 'object' || type === 'array')) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      if (types.includes('array')) return text;
      throw usage(`--arg ${name} takes JSON`, `For example: --arg '${name}={"key":"value"}'`);
    }
  }
  throw usage(`--arg ${name} takes ${types.join(' or ')}`);
}

export function parseArguments(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw usage(
    '--json takes the arguments as a JSON object',
    `For example: --json '{"owner":"acme"}', --json @arguments.json, or --json - for standard input`,
  );
}
