// The only parser of JSON bodies. Excessive nesting is refused before parsing, because later code may recurse.
// Malformed text, an unpaired surrogate or a zero character, is refused with its path.
import { AppError } from '../../base/errors.ts';
import { isShallow } from '../../base/is-shallow.ts';
import { UNSTORABLE } from '../../base/storable-json.ts';
import { isObject, type Loose } from '../../model-providers/codecs/read-fields.ts';

/** Invalid UTF-8 has already become U+FFFD, so malformed text can only hide in an escape. */
const ESCAPED_FAULT = /\\u(?:d[89a-f]|0000)/i;

export function parseJson(text: string): unknown {
  if (!isShallow(text)) throw new AppError('invalid_request', { body: 'is nested too deeply' });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError('invalid_request', { body: 'must be valid JSON' });
  }
  if (ESCAPED_FAULT.test(text)) requireText(value);
  return value;
}

/** A body that must be an object. */
export function parseObject(body: Buffer): Loose {
  const value = parseJson(body.toString('utf8'));
  if (!isObject(value)) throw new AppError('invalid_request', { body: 'must be a JSON object' });
  return value;
}

/** A JSON body, or the fields of a form if that is the content type. */
export function parseFields(body: Buffer, contentType: string | null): unknown {
  const text = body.toString('utf8');
  if (!isForm(contentType)) return text === '' ? {} : parseJson(text);
  const fields = Object.fromEntries(new URLSearchParams(text));
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
