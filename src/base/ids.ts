import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** Two characters at a time: ten bits. */
const PAIRS: readonly string[] = Array.from(
  { length: 1024 },
  (_, bits) => ALPHABET.charAt(bits >> 5) + ALPHABET.charAt(bits & 31),
);
const RANDOM_PAIRS = 8;
const TIME_CHARACTERS = 10;

/**
 * A sortable random id: a short prefix for its type, then 10 characters of time and 16 of randomness (80 bits) in
 * lower-case Crockford base 32. Ids that are close in time are close in the index.
 */
export function newId(prefix: string, now = Date.now()): string {
  if (now !== writtenFor) {
    writtenFor = now;
    written = writeTime(now);
  }
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  let id = `${prefix}_${written}`;
  for (const end = taken + RANDOM_PAIRS; taken < end; taken++) id += PAIRS[(pool[taken] ?? 0) & 1023] ?? '';
  return id;
}

// Random bytes cost the same for many ids as for one, and ids of the same millisecond share their first part.
const pool = new Uint16Array(RANDOM_PAIRS * 256);
let taken = pool.length;
let writtenFor = Number.NaN;
let written = '';

function writeTime(now: number): string {
  let text = '';
  for (let rest = now, i = 0; i < TIME_CHARACTERS; i++, rest = Math.floor(rest / 32))
    text = ALPHABET.charAt(rest % 32) + text;
  return text;
}
