// The only parser of JSON bodies. Excessive nesting is refused before parsing, because later code may recurse.
// A zero character and an unpaired surrogate are refused with their path.
import { AppError } from '../../base/errors.ts';
import { isShallow } from '../../base/is-shallow.ts';
import { UNSTORABLE } from '../../base/storable-json.ts';

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

/** For values that were not parsed here, such as form fields. They must not nest deeply. */
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
  if (typeof value === 'string') return isStorable(value) ? undefined : [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, part] of Object.entries(value)) {
    if (!isStorable(key)) return [];
    const found = findFault(part);
    if (found) return [key, ...found];
  }
  return undefined;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
