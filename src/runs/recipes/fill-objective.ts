// The objective of a run that a recipe starts. What is filled in is text of the person who starts it.
import { AppError } from '../../base/errors.ts';
import {
  type FieldFault,
  fillRecipe,
  findFieldFaults,
  findFields,
  RECIPE_LIMITS,
} from '../../contract/recipes/fill-recipe.ts';

const FAULTS: Readonly<Record<FieldFault, string>> = {
  unknown: 'is not a field of this recipe',
  missing: 'is required',
  'too-long': `has more than ${RECIPE_LIMITS.value} characters`,
};

/** Refuses every field that is wrong by its name, before anything is filled in. */
export function fillObjective(objective: string, values: Readonly<Record<string, string>>): string {
  const faults = findFieldFaults(findFields(objective), values);
  if (faults.size > 0)
    throw new AppError(
      'invalid_request',
      Object.fromEntries([...faults].map(([name, fault]) => [`fields.${name}`, FAULTS[fault]])),
    );
  const filled = fillRecipe(objective, values).trim();
  if (filled === '') throw new AppError('invalid_request', { fields: 'leave the objective empty' });
  if (filled.length > RECIPE_LIMITS.objective)
    throw new AppError('invalid_request', {
      fields: `make the objective longer than ${RECIPE_LIMITS.objective} characters`,
    });
  return filled;
}
