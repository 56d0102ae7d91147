// The id (`jti`) of a token. An unnamed token is not stored, so its id proves its owner: it ends in a MAC over the rest
// and the user, so only that user can revoke it by its id.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { newId } from '../../base/ids.ts';

const NAMED = /^tok_[0-9a-z]{26}$/;
const UNNAMED = /^(tkt_[0-9a-z]{26})([0-9a-f]{32})$/;

export function newTokenId(key: KeyObject, userId: string, named: boolean, now: Date): string {
  if (named) return newId('tok', now.getTime());
  const stem = newId('tkt', now.getTime());
  return stem + mac(key, stem, userId);
}

export function isNamedTokenId(tokenId: unknown): tokenId is string {
  return typeof tokenId === 'string' && NAMED.test(tokenId);
}

/** Whether it has the form of an unnamed token's id; only the MAC proves its owner. */
export function isUnnamedTokenId(tokenId: string): boolean {
  return UNNAMED.test(tokenId);
}

export function isUnnamedTokenOf(key: KeyObject, tokenId: string, userId: string): boolean {
  const [, stem, given] = UNNAMED.exec(tokenId) ?? [];
  return (
    stem !== undefined &&
    given !== undefined &&
    timingSafeEqual(Buffer.from(given), Buffer.from(mac(key, stem, userId)))
  );
}

function mac(key: KeyObject, stem: string, userId: string): string {
  return createHmac('sha256', key).update(`token-id/v1\0${stem}\0${userId}`).digest('hex').slice(0, 32);
}
