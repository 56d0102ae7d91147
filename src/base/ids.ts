import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A sortable random id: 10 characters of time, 16 of randomness (80 bits), lower-case Crockford base 32, behind
 * a short prefix that says what it names. Close in time means close in the index.
 */
export function newId(prefix: string, now = Date.now()): string {
  let time = '';
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = ALPHABET.charAt(rest % 32) + time;
  let random = '';
  for (const byte of randomBytes(16)) random += ALPHABET.charAt(byte & 31);
  return `${prefix}_${time}${random}`;
}
