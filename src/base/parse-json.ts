// The only parser of JSON bodies. What is nested too deeply or holds too many values is refused before parsing.
// Malformed text, an unpaired surrogate or a zero character, is refused with its path.
import { AppError } from './errors.ts';
import { findJsonFault } from './json-scanner.ts';
import { UNSTORABLE } from './storable-json.ts';

/** What is more than either of these is parsed on a thread: each takes the event loop some ten milliseconds. */
export const LARGE = { bytes: 1024 * 1024, values: 20_000 } as const;

/** Invalid UTF-8 has already become U+FFFD, so malformed text can only hide in an escape. */
const ESCAPED_FAULT = /\\u(?:d[89a-f]|0000)/i;

export function parseJson(bytes: Uint8Array): unknown {
  const fault = findJsonFault(bytes);
  if (fault) throw new AppError('invalid_request', { body: fault });
  return parseMeasured(bytes);
}

/** A whole number with as many digits may not be one that JavaScript can hold. */
const LONG_NUMBER = /\d{16}/;

/** What JavaScript has and its types lack. */
interface SourceJson {
  parse(text: string, revive: (key: string, value: unknown, context: { readonly source: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
}
const SOURCE_JSON = JSON as unknown as SourceJson;

/**
 * For bytes that a scanner has let pass. In the fields of `exact`, which are only passed on, whole numbers that would lose
 * digits stay as they were written: they are no numbers here, and are written again as they were.
 */
export function parseMeasured(bytes: Uint8Array, exact: readonly string[] = []): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError('invalid_request', { body: 'must be valid JSON' });
  }
  if (ESCAPED_FAULT.test(text)) requireText(value);
  return exact.length > 0 && LONG_NUMBER.test(text) ? keepDigits(value, text, exact) : value;
}

function keepDigits(value: unknown, text: string, exact: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const written = SOURCE_JSON.parse(text, (_key, read, { source }) =>
    typeof read === 'number' && !Number.isSafeInteger(read) && /^-?\d+$/.test(source)
      ? SOURCE_JSON.rawJSON(source)
      : read,
  ) as Readonly<Record<string, unknown>>;
  const kept = exact.filter((field) => Object.hasOwn(value, field)).map((field) => [field, written[field]] as const);
  return { ...value, ...Object.fromEntries(kept) };
}

/** A JSON body, or the fields of a form if that is the content type. */
export function parseFields(body: Uint8Array, contentType: string | null): unknown {
  if (!isForm(contentType)) return body.length === 0 ? {} : parseJson(body);
  const fields = Object.fromEntries(new URLSearchParams(new TextDecoder().decode(body)));
  requireText(fields);
  return fields;
}

export function isForm(contentType: string | null): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(contentType ?? '');
}

/** For values that were not parsed here, such as form fields or a query. They must not nest deeply. */
export function requireText(value: unknown): void {
  const path = findFault(value);
  if (path !== undefined)
    throw new AppError('invalid_request', { [path.slice(0, 20).join('.') || 'body']: UNSTORABLE });
}

/** Whether a body was refused for its text although it is valid JSON. */
export function isTextFault(error: unknown): boolean {
  return error instanceof AppError && Object.values(error.details).includes(UNSTORABLE);
}

function findFault(value: unknown): string[] | undefined {
  if (typeof value === 'string') return isText(value) ? undefined : [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, part] of Object.entries(value)) {
    if (!isText(key)) return [];
    const found = findFault(part);
    if (found) return [key, ...found];
  }
  return undefined;
}

function isText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
