// The provider's signing keys. A token signed with a key that is not among them makes us read them again, because the
// provider may have changed them; how often is bounded, because anyone can make up such a token.
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { createLoadingCache } from '../../timing/bounded-cache.ts';
import { createAttemptLimit } from '../../timing/rate-limit.ts';

const KEEP_MS = 10 * 60_000;
export const REREADS_PER_MINUTE = 5;

export function createProviderKeys(
  load: () => Promise<JSONWebKeySet>,
  nowMs: () => number = Date.now,
): JWTVerifyGetKey {
  const kept = createLoadingCache<'keys', JWTVerifyGetKey>({ most: 1, ttlMs: KEEP_MS, nowMs });
  const rereads = createAttemptLimit({ max: REREADS_PER_MINUTE, windowMs: 60_000, nowMs });
  const read = (): Promise<JWTVerifyGetKey> => kept.get('keys', async () => createLocalJWKSet(await load()));
  return async (header, token) => {
    try {
      return await (
        await read()
      )(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || rereads.take('keys') !== undefined) throw error;
      kept.forget('keys');
      return (await read())(header, token);
    }
  };
}
