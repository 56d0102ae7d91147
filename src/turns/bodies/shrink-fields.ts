import type { Loose } from '../../model-providers/codecs/read-fields.ts';

/** For all fields together. */
const HEAD_BYTES = 1024 * 1024;

/**
 * A copy that is small: the smaller fields whole, as many as there is room for, the others empty. Whether a field was
 * given, and what kind of value it had, can still be seen.
 */
export function shrinkFields(body: Loose, mostBytes: number = HEAD_BYTES): Loose {
  const sizes = Object.entries(body).map(([field, value]) => [field, JSON.stringify(value).length] as const);
  let room = mostBytes;
  const whole = new Set<string>();
  for (const [field, size] of sizes.toSorted((a, b) => a[1] - b[1])) {
    room -= field.length + size;
    if (room < 0) break;
    whole.add(field);
  }
  return Object.fromEntries(
    Object.entries(body).map(([field, value]) => [field, whole.has(field) ? value : emptied(value)]),
  );
}

function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  return typeof value === 'object' && value !== null ? {} : typeof value === 'string' ? '' : value;
}
