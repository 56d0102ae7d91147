// The words of a filter or a path, in one pass from left to right: the work is as long as the text, whatever is in it.
import { ScimError, type ScimType } from '../scim-error.ts';

export type Token =
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'value'; readonly value: string | boolean | number | null }
  | { readonly kind: 'mark'; readonly text: '[' | ']' };

/** Longer than any that an identity provider sends. */
const MOST_CHARACTERS = 1_000;

const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Throws `fault` for what is neither. Parentheses are refused like everything else that is not understood. */
export function scanExpression(text: string, fault: ScimType): Token[] {
  if (text.length > MOST_CHARACTERS) throw new ScimError(fault, `Longer than ${MOST_CHARACTERS} characters.`);
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const character = text.charAt(at);
    if (character === ' ') at++;
    else if (character === '[' || character === ']') {
      tokens.push({ kind: 'mark', text: character });
      at++;
    } else if (character === '"') {
      const end = endOfString(text, at);
      tokens.push({ kind: 'value', value: readString(text.slice(at, end), fault) });
      at = end;
    } else {
      const end = endOfWord(text, at);
      if (end === at) throw new ScimError(fault, `Cannot be read at character ${at + 1}.`);
      tokens.push(toToken(text.slice(at, end)));
      at = end;
    }
  }
  return tokens;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function readString(quoted: string, fault: ScimType): string {
  try {
    const value: unknown = JSON.parse(quoted);
    if (typeof value === 'string' && value.isWellFormed() && !value.includes('\0')) return value;
  } catch {
    // Refused below, like text that cannot be stored.
  }
  throw new ScimError(fault, 'Contains a string that cannot be read.');
}

function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && isWordCharacter(text.charCodeAt(at))) at++;
  return at;
}

/** Letters, digits, and what stands in attribute names and URNs: `$` `-` `.` `:` `_`. */
function isWordCharacter(code: number): boolean {
  return (
    (code >= 48 && code <= 58) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 36 ||
    code === 45 ||
    code === 46 ||
    code === 95
  );
}

function toToken(word: string): Token {
  const literal = LITERALS.get(word.toLowerCase());
  if (literal !== undefined) return { kind: 'value', value: literal };
  const first = word.charCodeAt(0);
  const number = first === 45 || (first >= 48 && first <= 57) ? Number(word) : Number.NaN;
  return Number.isFinite(number) ? { kind: 'value', value: number } : { kind: 'word', text: word };
}
