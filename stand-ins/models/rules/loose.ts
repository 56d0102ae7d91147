// Reads a body of unknown shape.
export type Loose = Readonly<Record<string, unknown>>;

export interface Entry {
  readonly value: Loose;
  readonly at: number;
}

export function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asObject(value: unknown): Loose {
  return isObject(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** The objects in a list, with their indexes. */
export function entriesOf(value: unknown): Entry[] {
  return listOf(value).flatMap((one, at) => (isObject(one) ? [{ value: one, at }] : []));
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

export function firstOf<In, Out>(list: Iterable<In>, find: (one: In) => Out | undefined): Out | undefined {
  for (const one of list) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `'a', 'b' and 'c'`, with a comma before the last word if the provider uses one. */
export function quoteAll(names: readonly string[], last: string): string {
  const quoted = names.map((name) => `'${name}'`);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')}${last}${quoted.at(-1)}`;
}
