// Validates a body; the refusal names the first invalid field, as both providers do.
import type { z } from 'zod';
import { badRequest } from './refusal.ts';

export function parseFields<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? String(step) : `.${String(step)}`))
    .join('');
  throw badRequest(issue?.message ?? 'Invalid request', field === '' ? undefined : field);
}
