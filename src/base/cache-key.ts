// Keys of caches and other maps that are made of several parts. A part may be text that somebody chose, so the parts
// are encoded and never joined: two keys are equal only when all their parts are.

declare const made: unique symbol;

/** A key that only `cacheKey` makes: a map that takes it cannot be asked with a text that was put together by hand. */
export type CacheKey = string & { readonly [made]: true };

/** What is absent is `null`: JSON writes `undefined` the same way, and the two would meet. */
export type KeyPart = string | boolean | number | null | readonly KeyPart[];

export function cacheKey(...parts: readonly KeyPart[]): CacheKey {
  return JSON.stringify(parts) as CacheKey;
}
