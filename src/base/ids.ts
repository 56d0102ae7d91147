import { randomFillSync } from 'node:crypto';

const RANDOM_BYTES = 16;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A sortable random id: 10 characters of time, 16 of randomness (80 bits), lower-case Crockford base 32, behind
 * a short prefix that says what it names. Close in time means close in the index.
 */
export function newId(prefix: string, now = Date.now()): string {
  let time = '';
  for (let rest = now, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = ALPHABET.charAt(rest % 32) + time;
  let random = '';
  for (const byte of takeRandom()) random += ALPHABET.charAt(byte & 31);
  return `${prefix}_${time}${random}`;
}

// Asking for randomness costs the same for many ids as for one.
const pool = new Uint8Array(RANDOM_BYTES * 256);
let taken = pool.length;

function takeRandom(): Uint8Array {
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  taken += RANDOM_BYTES;
  return pool.subarray(taken - RANDOM_BYTES, taken);
}
