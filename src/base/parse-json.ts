// The only parser of JSON bodies. What is nested too deeply or holds too many values is refused
// before parsing.
// Malformed text (an unpaired surrogate) and, unless allowed, a zero character are refused with their path.
import { AppError } from './errors.ts';
import { findJsonFault } from './json-scanner.ts';
import { UNSTORABLE } from './storable-json.ts';

const MALFORMED = 'must not contain an unpaired surrogate';

export interface ParseOptions {
  /** For bodies that are not stored: a zero character is fine. */
  readonly allowZero?: boolean;
}

/** Invalid UTF-8 has already become U+FFFD, so malformed text can only hide in an escape. */
const ESCAPED_FAULT = /\\u(?:d[89a-f]|0000)/i;

export function parseJson(bytes: Uint8Array, options?: ParseOptions): unknown {
  const fault = findJsonFault(bytes);
  if (fault) throw new AppError('invalid_request', { body: fault });
  return parseMeasured(bytes, options);
}

/** For bytes that a scanner has let pass. */
export function parseMeasured(bytes: Uint8Array, options: ParseOptions = {}): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError('invalid_request', { body: 'must be valid JSON' });
  }
  if (ESCAPED_FAULT.test(text)) requireText(value, options);
  return value;
}

/** For values that were not parsed here, such as form fields or a query. They must not nest deeply. */
export function requireText(value: unknown, { allowZero = false }: ParseOptions = {}): void {
  const path = findFault(value, allowZero ? isWellFormed : isStorable);
  if (path !== undefined)
    throw new AppError('invalid_request', {
      [path.slice(0, 20).join('.') || 'body']: allowZero ? MALFORMED : UNSTORABLE,
    });
}

/** Whether a body was refused for its text although it is valid JSON. */
export function isTextFault(error: unknown): boolean {
  return (
    error instanceof AppError &&
    Object.values(error.details).some((fault) => fault === MALFORMED || fault === UNSTORABLE)
  );
}

function findFault(value: unknown, isText: (text: string) => boolean): string[] | undefined {
  if (typeof value === 'string') return isText(value) ? undefined : [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, part] of Object.entries(value)) {
    if (!isText(key)) return [];
    const found = findFault(part, isText);
    if (found) return [key, ...found];
  }
  return undefined;
}

function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
