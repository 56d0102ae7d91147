/** All search parameters are text, even those that look like numbers. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/** An explicit `undefined` removes a value that would otherwise be retained. */
type Optional<T> = { [K in keyof T]?: string | undefined };

export function optional<T extends Record<string, string | undefined>>(values: T): Optional<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Optional<T>;
}
