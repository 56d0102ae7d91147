// Masks secrets in what is recorded of a run, in keys too. Numbers and the like are left alone: a secret is a text.
import type { Json } from '../../base/canonical-json.ts';
import { scrubText } from '../../sandbox/egress/scrub-secrets.ts';

export function scrubJson<T extends Json | Readonly<Record<string, Json>>>(secrets: readonly Buffer[], value: T): T {
  return secrets.length === 0 ? value : (scrub(secrets, value) as T);
}

function scrub(secrets: readonly Buffer[], value: Json): Json {
  if (typeof value === 'string') return scrubText(secrets, value);
  if (Array.isArray(value)) return value.map((one) => scrub(secrets, one as Json));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [scrubText(secrets, name), scrub(secrets, one as Json)]),
  );
}
