export type Environment = Readonly<Record<string, string | undefined>>;

/** An empty value counts as unset, as everywhere in the service. */
export function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}
