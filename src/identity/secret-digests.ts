// How a secret is kept: as a digest, marked with the way it was taken. What is in a row can therefore never be
// presented, and a row that somehow held a secret itself is refused by the table.
import { createHash, createHmac } from 'node:crypto';

/** For what is long and random: nobody finds it from its digest. */
export function digestSecret(secret: string): string {
  return `sha256:${createHash('sha256').update(secret).digest('hex')}`;
}

/** For what a person types and could be found by trying all: the key is not in the database. */
export function digestShortSecret(secret: string, key: string): string {
  return `hmac-sha256:${createHmac('sha256', key).update(`short-secret/v1\0${secret}`).digest('hex')}`;
}
