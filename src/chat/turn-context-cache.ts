import { type CacheKey, cacheKey } from '../base/cache-key.ts';
import type { Queryable } from '../store/database.ts';
import { createTtlCache } from '../timing/bounded-cache.ts';
import { findTurnContext, type TurnContext, type TurnPlace } from './turn-context.ts';

export interface TurnContextCache {
  find(place: TurnPlace): Promise<TurnContext | undefined>;
  /** After the database has said that a context is stale. */
  forget(place: TurnPlace): void;
}

const MOST = 5_000;
/** Contexts hold sealed keys only, but need not stay around for people who left. */
const LIFETIME_MS = 5 * 60_000;

/** Remembers who is a member; who is not is looked up every time, so that a new member never waits. */
export function createTurnContextCache(db: Queryable): TurnContextCache {
  const known = createTtlCache<CacheKey, TurnContext>({ most: MOST, ttlMs: LIFETIME_MS });
  const keyOf = ({ userId, organizationId, workspace }: TurnPlace): CacheKey =>
    cacheKey(userId, organizationId, workspace ?? null);
  return {
    async find(place) {
      const key = keyOf(place);
      const found = known.get(key);
      if (found) return found;
      const context = await findTurnContext(db, place);
      if (context) known.set(key, context);
      return context;
    },
    forget: (place) => void known.delete(keyOf(place)),
  };
}
