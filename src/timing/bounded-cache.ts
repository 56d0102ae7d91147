// Caches with a bound. The entry that was set longest ago is evicted; a caller that sets entries again on each use gets
// least-recently-used eviction instead.

export interface BoundedMap<Key, Value> {
  readonly size: number;
  get(key: Key): Value | undefined;
  has(key: Key): boolean;
  /** Makes it the newest. */
  set(key: Key, value: Value): void;
  delete(key: Key): boolean;
}

/** Bounds the total weight of the values. The weight of a value must not change while it is kept. */
export interface Weight<Value> {
  of(value: Value): number;
  readonly most: number;
}

export function createBoundedMap<Key, Value>(most: number, weight?: Weight<Value>): BoundedMap<Key, Value> {
  const entries = new Map<Key, Value>();
  let total = 0;

  function remove(key: Key): boolean {
    if (weight && entries.has(key)) total -= weight.of(entries.get(key) as Value);
    return entries.delete(key);
  }

  return {
    get size() {
      return entries.size;
    },
    get: (key) => entries.get(key),
    has: (key) => entries.has(key),
    set(key, value) {
      remove(key);
      entries.set(key, value);
      if (weight) total += weight.of(value);
      if (entries.size <= most && !(weight && total > weight.most)) return;
      for (const oldest of entries.keys()) {
        remove(oldest);
        if (entries.size <= most && !(weight && total > weight.most)) return;
      }
    },
    delete: remove,
  };
}

export interface TtlCache<Key, Value> {
  /** Undefined when absent or expired. */
  get(key: Key): Value | undefined;
  /** Keeps it for the lifetime of the cache, or until an earlier moment. */
  set(key: Key, value: Value, untilMs?: number): void;
  delete(key: Key): void;
}

export interface TtlOptions {
  readonly most: number;
  readonly ttlMs: number;
  readonly nowMs?: () => number;
}

export function createTtlCache<Key, Value>({
  most,
  ttlMs,
  nowMs = () => Date.now(),
}: TtlOptions): TtlCache<Key, Value> {
  const entries = createBoundedMap<Key, { readonly value: Value; readonly untilMs: number }>(most);
  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      if (nowMs() < entry.untilMs) return entry.value;
      entries.delete(key);
      return undefined;
    },
    set(key, value, untilMs = Infinity) {
      entries.set(key, { value, untilMs: Math.min(nowMs() + ttlMs, untilMs) });
    },
    delete: (key) => void entries.delete(key),
  };
}

export interface LoadingCache<Key, Value> {
  /** The cached value, or else the result of `load`. Concurrent callers share one load; a failure is not cached. */
  get(key: Key, load: () => Promise<Value>): Promise<Value>;
  forget(key: Key): void;
}

export function createLoadingCache<Key, Value>(options: TtlOptions): LoadingCache<Key, Value> {
  const kept = createTtlCache<Key, Promise<Value>>(options);
  return {
    get(key, load) {
      const known = kept.get(key);
      if (known) return known;
      const loading = load();
      kept.set(key, loading);
      loading.catch(() => {
        if (kept.get(key) === loading) kept.delete(key);
      });
      return loading;
    },
    forget: (key) => kept.delete(key),
  };
}
