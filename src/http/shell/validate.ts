// Input that does not match its schema is `invalid_request` with a line per field.
import type { z } from 'zod';
import { AppError } from '../../base/errors.ts';

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Of an issue about unknown fields. */
  readonly keys?: readonly string[];
}

export function validate<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new AppError(
    'invalid_request',
    Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.') || 'body', message])),
  );
}

/** The same, with unknown fields by their names, as the routes of the contract answer. */
export function invalidRequest(issues: readonly Issue[]): AppError {
  return new AppError('invalid_request', Object.fromEntries(issues.flatMap(linesOf)));
}

function linesOf({ path, message, keys }: Issue): [string, string][] {
  if (keys) return keys.map((key) => [[...path.map(String), key].join('.'), 'is not a known field']);
  return [[path.map(String).join('.') || 'body', message]];
}
