// What the app keeps in the search of an address.
/** Everything we keep in an address is text, also what looks like a number. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/** `undefined` may be said outright: it takes a value out of the address that would otherwise stay. */
type Optional<T> = { [K in keyof T]?: string | undefined };

export function optional<T extends Record<string, string | undefined>>(values: T): Optional<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Optional<T>;
}
