// Shapes that several routes share. Everything in this directory describes the wire: browser-safe, no Node, no rules.
import { z } from 'zod';

export const id = z.string().min(1).max(128);
export const name = z.string().trim().min(1).max(100);
// A line break within it would be the beginning of another header, so it is not even trimmed away.
export const email = z
  .string()
  .refine((text) => !/[\r\n]/.test(text), 'has a line break')
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email());
export const slug = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/,
    'lower-case letters, digits and inner hyphens, at most 48 characters',
  );
export const timestamp = z.iso.datetime();
export const role = z.enum(['owner', 'admin', 'member']);
export type Role = z.infer<typeof role>;

/** Beside `model`: the model that answered, if the request named an automatic one or a route. */
export const served = z.string().optional();

export const cursor = z.string().max(500).optional();

/** Every list accepts these, and returns `cursor` while there is more. */
export const page = { cursor, limit: z.coerce.number().int().min(1).max(200).optional() };
export const nextCursor = { cursor: z.string().optional() };

export const done = z.object({ ok: z.literal(true) });

export const errorBody = z.object({
  ok: z.literal(false),
  error: z.string(),
  message: z.string().optional(),
  details: z.unknown().optional(),
});
