// Codes and refresh tokens: 256 random bits, of which only the hash is stored.
import { createHash, randomBytes } from 'node:crypto';

export function newSecret(): { readonly secret: string; readonly hash: Buffer } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: hashSecret(secret) };
}

export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
