// A custom tool takes text instead of arguments. For a provider that knows only functions, it becomes a function with
// one argument, and the text is extracted from the arguments again, piece by piece while they stream.
import type { JsonSchema } from './neutral.ts';
import { isObject, type Loose } from './read-fields.ts';

export interface TextFormat {
  readonly syntax: string;
  readonly definition: string;
}

const OPENING = /^\s*\{\s*"input"\s*:\s*"/;
/** No model writes more white space than this before the text. */
const OPENING_LENGTH = 256;

export const TEXT_SCHEMA: JsonSchema = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The whole text of the call.' } },
  required: ['input'],
  additionalProperties: false,
};

export function describeTextTool(description: string | undefined, format: TextFormat | undefined): string {
  const rule = 'Put the text for this tool into `input` as it is, without any wrapping of its own.';
  const grammar =
    format === undefined
      ? []
      : [
          `The text must match this ${format.syntax === 'regex' ? 'regular expression' : `${format.syntax} grammar`}:\n${format.definition}`,
        ];
  return [...(description === undefined || description === '' ? [] : [description]), rule, ...grammar].join('\n\n');
}

/** Responses has the grammar in the format itself, Chat Completions one level down. */
export function findTextFormat(format: unknown): TextFormat | undefined {
  if (!isObject(format) || format['type'] !== 'grammar') return undefined;
  const { syntax, definition }: Loose = isObject(format['grammar']) ? format['grammar'] : format;
  return typeof definition === 'string'
    ? { syntax: typeof syntax === 'string' ? syntax : 'lark', definition }
    : undefined;
}

export function toTextArguments(input: string): string {
  return JSON.stringify({ input });
}

export interface TextReader {
  /** The text that a piece of the arguments adds. */
  feed(json: string): string;
  /** What is left when the arguments have ended. */
  end(): string;
}

export function createTextReader(): TextReader {
  let raw = '';
  let inText = false;
  let isClosed = false;
  let rest = '';

  function write(json: string): string {
    if (isClosed) return '';
    const read = unescapeText(rest + json);
    ({ rest, isClosed } = read);
    return read.text;
  }

  return {
    feed(json) {
      if (inText) return write(json);
      const isSearching = raw.length < OPENING_LENGTH;
      raw += json;
      const [opening] = isSearching ? (OPENING.exec(raw.slice(0, OPENING_LENGTH + json.length)) ?? []) : [];
      if (opening === undefined) return '';
      inText = true;
      return write(raw.slice(opening.length));
    },
    end: () => (inText ? endOfText(rest) : findText(raw).toWellFormed()),
  };
}

export function readTextArguments(json: string): string {
  const reader = createTextReader();
  return reader.feed(json) + reader.end();
}

interface Unescaped {
  readonly text: string;
  /** An incomplete escape or half of a character. */
  readonly rest: string;
  readonly isClosed: boolean;
}

/** The JSON string up to its end, or as far as it has arrived. Only whole characters are returned. */
function unescapeText(json: string): Unescaped {
  const marks = /["\\]/g;
  let escapeAt = 0;
  let at = 0;
  const end = (stop: number, isClosed: boolean): Unescaped => {
    const last = at === stop ? json.slice(escapeAt, stop) : json.slice(stop - 1, stop);
    const whole = !isClosed && HALF.test(last) ? stop - last.length : stop;
    return { text: parseText(json.slice(0, whole)), rest: isClosed ? '' : json.slice(whole), isClosed };
  };
  for (;;) {
    marks.lastIndex = at;
    const found = marks.exec(json);
    if (found === null) return end(json.length, false);
    if (found[0] === '"') return end(found.index, true);
    const length = json[found.index + 1] === 'u' ? 6 : 2;
    if (found.index + length > json.length) return end(found.index, false);
    escapeAt = found.index;
    at = found.index + length;
  }
}

/** The first of two units that make one character. */
const HALF = /^(?:[\uD800-\uDBFF]|\\u[dD][89abAB][0-9a-fA-F]{2})$/;

/** Unescaped line breaks and tabs are accepted; an invalid escape is kept as it is. */
function parseText(json: string): string {
  return json
    .replace(/\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])/g, (escape) => JSON.parse(`"${escape}"`) as string)
    .toWellFormed();
}

function endOfText(rest: string): string {
  return parseText(rest.replace(/\\(?:u[0-9a-fA-F]{0,3})?$/, ''));
}

/** Arguments of any other shape: their most likely meaning, or the raw arguments. */
function findText(raw: string): string {
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    return raw;
  }
  if (typeof value === 'string') return value;
  if (!isObject(value)) return raw;
  if (typeof value['input'] === 'string') return value['input'];
  const values = Object.values(value);
  return values.length === 0 ? '' : values.length === 1 && typeof values[0] === 'string' ? values[0] : raw;
}
