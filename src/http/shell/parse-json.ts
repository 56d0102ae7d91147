// The one way in which a JSON body becomes a value. What nests deeper than anything sensible is refused before it is
// parsed, because whatever looks at the value afterwards may recurse; text that is no text (half a surrogate pair),
// and where it is stored a zero character, is refused by the path where it stands.
import { AppError } from '../../base/errors.ts';
import { isShallow } from '../../base/is-shallow.ts';
import { UNSTORABLE } from '../../base/storable-json.ts';

const NO_TEXT = 'must hold no unpaired surrogate';

export interface ParseOptions {
  /** Where nothing is stored, a zero character is a character like any other. */
  readonly allowZero?: boolean;
}

/** Bytes that are no UTF-8 have become U+FFFD by now, so a fault of the text can only hide in an escape. */
const ESCAPED_FAULT = /\\u(?:d[89a-f]|0000)/i;

export function parseJson(text: string, options: ParseOptions = {}): unknown {
  if (!isShallow(text)) throw new AppError('invalid_request', { body: 'is nested too deeply' });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError('invalid_request', { body: 'must be valid JSON' });
  }
  if (ESCAPED_FAULT.test(text)) requireText(value, options);
  return value;
}

/** For values that came by another way: the fields of a form, a query. They must not nest deeply. */
export function requireText(value: unknown, { allowZero = false }: ParseOptions = {}): void {
  const path = findFault(value, allowZero ? isWellFormed : isStorable);
  if (path !== undefined)
    throw new AppError('invalid_request', {
      [path.slice(0, 20).join('.') || 'body']: allowZero ? NO_TEXT : UNSTORABLE,
    });
}

/** Whether a body was refused for its text: as JSON it is valid. */
export function isTextFault(error: unknown): boolean {
  return (
    error instanceof AppError && Object.values(error.details).some((fault) => fault === NO_TEXT || fault === UNSTORABLE)
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
