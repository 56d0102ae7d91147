// PostgreSQL's text and jsonb hold neither a zero character nor half a surrogate pair; JSON may.

export const UNSTORABLE = 'must not contain a zero character or an unpaired surrogate';

export function isStorableJson(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, part]) => isStorableJson(key) && isStorableJson(part));
}
