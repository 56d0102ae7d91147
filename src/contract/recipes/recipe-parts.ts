// What a recipe and its file have in common.
import { z } from 'zod';
import { hasTooManyPlaces, RECIPE_LIMITS } from './fill-recipe.ts';

/** One word, so that `/run name` in a chat finds it. Upper and lower case are the same. */
export const recipeName = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/i, 'letters, digits and inner hyphens, at most 48 characters');

export const recipeDescription = z.string().trim().max(500);

/** A run of the service itself cannot be asked for. */
export const recipeKind = z.enum(['chat', 'codex']);

/** What a person filled in, by the name of the field. */
export const fieldValues = z.record(z.string().min(1).max(50), z.string().max(RECIPE_LIMITS.value));

/** May have fields: `{{name}}` and `{{name:default}}`. */
export const recipeObjective = z
  .string()
  .trim()
  .min(1)
  .max(RECIPE_LIMITS.objective)
  .refine((text) => !hasTooManyPlaces(text), `has more than ${RECIPE_LIMITS.places} places to fill in`);
