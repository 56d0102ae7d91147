import { describe, expect, it } from 'vitest';
import { fillRecipe, findFieldFaults, findFields, hasTooManyPlaces, RECIPE_LIMITS } from './fill-recipe.ts';

const faultsOf = (objective: string, values: Record<string, string>) =>
  Object.fromEntries(findFieldFaults(findFields(objective), values));

describe('the fields of a recipe', () => {
  it('are required unless they have a default, and a blank value counts as none', () => {
    const objective = 'Compare {{left}} with {{right:main}} in {{ left }}';
    expect(faultsOf(objective, {})).toEqual({ left: 'missing' });
    expect(faultsOf(objective, { left: ' \n' })).toEqual({ left: 'missing' });
    expect(faultsOf(objective, { left: 'v1' })).toEqual({});
    expect(fillRecipe(objective, { left: 'v1', right: ' ' })).toBe('Compare v1 with main in v1');
  });

  it('are named when the recipe has none of that name, or the value is too long', () => {
    const long = 'x'.repeat(RECIPE_LIMITS.value + 1);
    expect(faultsOf('About {{topic}}', { topic: long, toString: 'a', other: 'b' })).toEqual({
      topic: 'too-long',
      toString: 'unknown',
      other: 'unknown',
    });
    // A name of the language itself is no value of a field.
    expect(faultsOf('About {{constructor}}', {})).toEqual({ constructor: 'missing' });
  });

  it('are filled once: what looks like a field in a value stays as it was written', () => {
    expect(fillRecipe('{{a}} and {{b:two}}', { a: '{{b}} $& $1' })).toBe('{{b}} $& $1 and two');
  });

  it('stand at a bounded number of places, however few fields there are', () => {
    expect(hasTooManyPlaces('{{a}}'.repeat(RECIPE_LIMITS.places))).toBe(false);
    expect(hasTooManyPlaces('{{a}}'.repeat(RECIPE_LIMITS.places + 1))).toBe(true);
  });
});
