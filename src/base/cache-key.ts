// Keys of caches and other maps that consist of several parts. A part may be user input, so the parts are encoded and
// never just joined: two keys are equal only when all their parts are.

declare const made: unique symbol;

/** Only `cacheKey` makes one, so a map with such keys cannot be used with a string concatenated by hand. */
export type CacheKey = string & { readonly [made]: true };

/** Use `null` for an absent part: JSON writes `undefined` as `null` too, so the two would collide. */
export type KeyPart = string | boolean | number | null | readonly KeyPart[];

export function cacheKey(...parts: readonly KeyPart[]): CacheKey {
  return JSON.stringify(parts) as CacheKey;
}
