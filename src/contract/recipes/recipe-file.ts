// A recipe as a file, to take it to another workspace or deployment. It names models and capabilities, and has no id:
// not of a workspace, a person or a run.
import { z } from 'zod';
import { environmentName } from '../environments/environments.ts';
import { delivery } from '../jobs.ts';
import { recipeDescription, recipeKind, recipeName, recipeObjective } from './recipe-parts.ts';

export const RECIPE_FORMAT = 'service-recipe';

/** A field that is not listed is refused by its name. */
export const recipeFile = z.strictObject({
  format: z.literal(RECIPE_FORMAT),
  version: z.literal(1),
  name: recipeName,
  description: recipeDescription.optional(),
  run: z
    .strictObject({
      objective: recipeObjective,
      kind: recipeKind,
      model: z.string().min(1).max(200).optional(),
      capabilities: z.array(z.string().min(1).max(200)).max(100).optional(),
      /** By name: the workspace that it is imported into has its own of that name, or none. */
      environment: environmentName.optional(),
      deliver: delivery.optional(),
    })
    .refine(({ deliver, environment }) => deliver === undefined || environment !== undefined, {
      path: ['deliver'],
      error: 'needs an environment',
    }),
});
export type RecipeFile = z.infer<typeof recipeFile>;
