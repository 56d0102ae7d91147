// Manifests are checked before they are trusted: a rule reads fields that may be absent or of another type and reports
// that, so that one fault never hides another.
export type Loose = { readonly [key: string]: unknown };

/** One row of a rule table: the rule as a sentence, and the check that finds its breaches. */
export interface Rule<Subject> {
  readonly says: string;
  readonly find: (subject: Subject) => readonly string[];
}

export function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isFilledText(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value.trim() === value && value.length > 0 && value.length <= maxLength;
}

export function isListOfText(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Unknown own keys, and missing required ones. */
export function findKeyFaults(
  subject: Loose,
  keys: { readonly required: readonly string[]; readonly optional: readonly string[] },
): string[] {
  const known = [...keys.required, ...keys.optional];
  return [
    ...Object.keys(subject)
      .filter((key) => !known.includes(key))
      .map((key) => `unknown field ${JSON.stringify(key)}`),
    ...keys.required.filter((key) => !Object.hasOwn(subject, key)).map((key) => `missing field "${key}"`),
  ];
}

/** An https URL, in the form a URL parser returns. */
export function findHttpsFault(value: unknown): string | undefined {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  if (!url) return `${JSON.stringify(value)} is not a URL`;
  if (url.protocol !== 'https:') return `${JSON.stringify(value)} is not https`;
  if (url.username !== '' || url.password !== '') return `${JSON.stringify(value)} carries credentials`;
  return undefined;
}
