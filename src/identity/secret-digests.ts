// Secrets are stored as digests, marked with their algorithm. The content of a row can therefore never be used as a
// credential, and the table refuses rows that contain a plain secret.
import { createHash, createHmac } from 'node:crypto';

/** For long random values, which cannot be found from their digest. */
export function digestSecret(secret: string): string {
  return `sha256:${createHash('sha256').update(secret).digest('hex')}`;
}

/** For short values that a person types: the key, which is not in the database, prevents a brute-force search. */
export function digestShortSecret(secret: string, key: string): string {
  return `hmac-sha256:${createHmac('sha256', key).update(`short-secret/v1\0${secret}`).digest('hex')}`;
}
