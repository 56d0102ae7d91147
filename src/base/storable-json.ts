// PostgreSQL's text and jsonb hold neither a zero character nor half a surrogate pair; JSON may.
import type { Json } from './canonical-json.ts';

export const UNSTORABLE = 'must not contain a zero character or an unpaired surrogate';

export function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, part]) => isStorableJson(key) && isStorableJson(part));
}

export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{fffd}');
}

/** The value as JSON, with the replacement character for what cannot be stored. */
export function toStorableJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? null), (_key, part: unknown) =>
    typeof part === 'string' ? storable(part) : part,
  ) as Json;
}
