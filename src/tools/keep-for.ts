import type { CacheKey } from '../base/cache-key.ts';
import type { Clock } from '../base/clock.ts';

export interface KeptFor<T> {
  /** What is kept under the key, else what is read now. Failures are not kept; callers of one moment share a read. */
  get(key: CacheKey, read: () => Promise<T>): Promise<T>;
  forget(key: CacheKey): void;
}

/** Answers kept for a while, the oldest making room for new ones. */
export function keepFor<T>({ forMs, max, clock }: { forMs: number; max: number; clock: Clock }): KeptFor<T> {
  const kept = new Map<CacheKey, { readonly value: Promise<T>; readonly untilMs: number }>();
  return {
    get(key, read) {
      const nowMs = clock().getTime();
      const known = kept.get(key);
      if (known && nowMs < known.untilMs) return known.value;
      kept.delete(key);
      for (const oldest of kept.keys()) {
        if (kept.size < max) break;
        kept.delete(oldest);
      }
      const entry = { value: read(), untilMs: nowMs + forMs };
      kept.set(key, entry);
      entry.value.catch(() => {
        if (kept.get(key) === entry) kept.delete(key);
      });
      return entry.value;
    },
    forget: (key) => void kept.delete(key),
  };
}
