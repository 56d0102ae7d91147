// Recipes: runs that are kept to be started again, with parts to fill in. Their names are unique in a workspace.
import { z } from 'zod';
import { done, id, nextCursor, page, timestamp } from '../common.ts';
import { idempotencyKey, job } from '../jobs.ts';
import { needsScope } from '../needs-scope.ts';
import { plannedRun, standingRequest } from '../standing/standing-runs.ts';
import { RECIPE_LIMITS } from './fill-recipe.ts';
import { recipeFile } from './recipe-file.ts';
import { fieldValues, recipeDescription, recipeName, recipeObjective } from './recipe-parts.ts';

const recipe = z.object({
  id,
  name: z.string(),
  description: z.string().optional(),
  run: plannedRun,
  /** What is filled in when it is started, in the order of the objective. One without a default is required. */
  fields: z.array(z.object({ name: z.string(), default: z.string().optional() })),
  createdBy: z.object({ id, name: z.string() }),
  createdAt: timestamp,
  updatedAt: timestamp,
  /** Whether the caller may change and delete it. */
  editable: z.boolean(),
});
export type Recipe = z.infer<typeof recipe>;

const request = standingRequest.extend({ objective: recipeObjective });
const addressed = z.strictObject({ id });

/** What a run of an imported recipe would be refused for here. */
const unknownHere = z.object({
  code: z.enum([
    'model_not_found',
    'model_not_supported_for_runs',
    'capability_unusable',
    'environment_not_found',
    'push_not_allowed',
  ]),
  name: z.string(),
});
export type UnknownHere = z.infer<typeof unknownHere>;

const tags = ['Recipes'];
const [reading, writing] = [needsScope('jobs:read', 'database'), needsScope('jobs:write', 'database')];

export const recipes = {
  list: reading
    .route({
      method: 'GET',
      path: '/recipes',
      tags,
      summary: "Recipes of the caller's workspaces, by name",
      description:
        'Those of `workspace`; without it, those of all workspaces that the caller sees. `name` finds the one of exactly that name, in upper or lower case; `search` finds by name and description.',
    })
    .input(
      z.strictObject({
        workspace: id.optional(),
        name: z.string().max(48).optional(),
        search: z.string().max(200).optional(),
        ...page,
      }),
    )
    .output(z.object({ recipes: z.array(recipe), ...nextCursor })),
  get: reading
    .route({ method: 'GET', path: '/recipes/{id}', tags, summary: 'A recipe' })
    .input(addressed)
    .output(z.object({ recipe })),
  create: writing
    .route({
      method: 'POST',
      path: '/recipes',
      successStatus: 201,
      tags,
      summary: 'Save a recipe in a workspace',
      description: `Its members can start it. What it names is checked as for a run. 409 \`recipe_name_taken\` if there is one of that name already, 409 \`too_many_recipes\` beyond ${RECIPE_LIMITS.recipes} per workspace.`,
    })
    .input(z.strictObject({ name: recipeName, description: recipeDescription.optional(), run: request }))
    .output(z.object({ recipe })),
  update: writing
    .route({
      method: 'PATCH',
      path: '/recipes/{id}',
      tags,
      summary: 'Change a recipe',
      description:
        'By who made it, and owners and admins of its workspace and organization. Omitted fields stay as they are; `run` is replaced as a whole, in the same workspace.',
    })
    .input(
      z.strictObject({
        id,
        name: recipeName.optional(),
        description: recipeDescription.optional(),
        run: request.omit({ workspace: true }).optional(),
      }),
    )
    .output(z.object({ recipe })),
  remove: writing
    .route({ method: 'DELETE', path: '/recipes/{id}', tags, summary: 'Delete a recipe' })
    .input(addressed)
    .output(done),
  run: writing
    .route({
      method: 'POST',
      path: '/recipes/{id}/run',
      successStatus: 202,
      tags,
      summary: 'Start a run from a recipe',
      description:
        'For the caller, with the scopes of their token, in the workspace of the recipe. A field that the recipe does not have, or a missing one without a default, is 400 by its name.',
    })
    .input(
      z.strictObject({
        id,
        fields: fieldValues.optional(),
        idempotencyKey: idempotencyKey.optional(),
      }),
    )
    .output(z.object({ job })),
  export: reading
    .route({
      method: 'GET',
      path: '/recipes/{id}/export',
      tags,
      summary: 'A recipe as a file',
      description: 'Without ids of this deployment: who pays for its runs is chosen again where it is imported.',
    })
    .input(addressed)
    .output(recipeFile),
  import: writing
    .route({
      method: 'POST',
      path: '/recipes/import',
      successStatus: 201,
      tags,
      summary: 'Save a recipe from a file',
      description:
        'A model, capability, environment or delivery that a run could not use here does not prevent it: `unknown` lists them, and starting it is refused until they are there or the recipe is changed. `name` saves it under another name.',
    })
    .input(
      z.strictObject({
        recipe: recipeFile,
        name: recipeName.optional(),
        workspace: id.optional(),
        fundingWorkspace: id.optional(),
      }),
    )
    .output(z.object({ recipe, unknown: z.array(unknownHere) })),
};
