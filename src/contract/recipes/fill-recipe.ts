// The fields of a recipe: named parts of its objective, written like the variables of a saved prompt. Used by the server,
// the browser and servicectl, so it is free of schemas.
import { countPlaces, fillPrompt, findVariables, type PromptVariable } from '../prompt-template.ts';

export const RECIPE_LIMITS = {
  recipes: 200,
  /** Of an objective, filled or not. */
  objective: 100_000,
  /** Places of an objective that are filled in. */
  places: 200,
  /** Characters of one value. */
  value: 10_000,
  file: 1024 * 1024,
} as const;

export type FieldFault = 'unknown' | 'missing' | 'too-long';

/** Every field that is wrong, by its name; none if the recipe can be filled. A blank value counts as none. */
export function findFieldFaults(
  fields: readonly PromptVariable[],
  values: Readonly<Record<string, string>>,
): ReadonlyMap<string, FieldFault> {
  const faults = new Map<string, FieldFault>();
  const names = new Set(fields.map(({ name }) => name));
  for (const [name, value] of Object.entries(values)) {
    if (!names.has(name)) faults.set(name, 'unknown');
    else if (value.length > RECIPE_LIMITS.value) faults.set(name, 'too-long');
  }
  for (const { name, byDefault } of fields)
    if (byDefault === undefined && !isGiven(values, name)) faults.set(name, 'missing');
  return faults;
}

/** The objective with its fields filled in: a value is put in as it is, and what looks like a field in it is none. */
export function fillRecipe(objective: string, values: Readonly<Record<string, string>>): string {
  const given = Object.entries(values).filter(([name]) => isGiven(values, name));
  return fillPrompt(objective, Object.fromEntries(given));
}

export const findFields = findVariables;

/** So that the filled objective is bounded before it is written. */
export function hasTooManyPlaces(objective: string): boolean {
  return countPlaces(objective) > RECIPE_LIMITS.places;
}

function isGiven(values: Readonly<Record<string, string>>, name: string): boolean {
  return Object.hasOwn(values, name) && values[name]?.trim() !== '';
}
