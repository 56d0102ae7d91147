// A Bloom filter of passwords that are on lists of leaked ones: small enough to ship, and asked without the network. It
// knows every password of the list; one in a million others is taken for one of them. `passwords/README.md` says where the
// list is from.
import { createHash } from 'node:crypto';

/** Bits per password and places per password: together they decide the share of errors. */
const BITS_EACH = 29;
const PLACES = 20;

export interface PasswordFilter {
  has(password: string): boolean;
}

/** Lists hold passwords in one case and form, people write them in many. */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC').toLowerCase();
}

export function makeFilter(passwords: readonly string[]): Buffer {
  const known = [...new Set(passwords.map(normalizePassword))];
  const bytes = Buffer.alloc(Math.ceil((known.length * BITS_EACH) / 8));
  for (const password of known)
    for (const place of placesOf(password, bytes.length * 8))
      bytes[place >> 3] = (bytes[place >> 3] ?? 0) | (1 << (place & 7));
  return bytes;
}

export function readFilter(bytes: Buffer): PasswordFilter {
  return {
    has: (password) =>
      placesOf(normalizePassword(password), bytes.length * 8).every(
        (place) => ((bytes[place >> 3] ?? 0) & (1 << (place & 7))) !== 0,
      ),
  };
}

function placesOf(password: string, bits: number): number[] {
  const digest = createHash('sha256').update(password).digest();
  const [first, step] = [digest.readUIntBE(0, 6), digest.readUIntBE(6, 6) | 1];
  return Array.from({ length: PLACES }, (_, at) => (first + at * (step >>> 0)) % bits);
}
