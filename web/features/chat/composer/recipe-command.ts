// `/run` at the start of a message: the recipe whose name is being typed, and its matches.
import type { Recipe } from '../../../../src/contract/recipes/recipes.ts';

export const RUN_COMMAND = 'run';
const LONGEST = 100;
const TYPED = /^\/run[ \t]+([a-z0-9-]{0,48})[ \t]*$/i;

/** What is typed after `/run`, if nothing else is and the caret is at its end. */
export function findRecipeCommand(text: string, caret: number): string | undefined {
  if (text.length > LONGEST || caret < text.trimEnd().length) return undefined;
  return TYPED.exec(text)?.[1]?.toLowerCase();
}

/** That of exactly this name first, then names that start with it, then names and descriptions that contain it. */
export function offerRecipes(recipes: readonly Recipe[], query: string): readonly Recipe[] {
  const rank = ({ name, description = '' }: Recipe): number => {
    const known = name.toLowerCase();
    if (known === query) return 0;
    if (known.startsWith(query)) return 1;
    if (known.includes(query)) return 2;
    return description.toLowerCase().includes(query) ? 3 : 4;
  };
  return recipes.filter((recipe) => rank(recipe) < 4).toSorted((a, b) => rank(a) - rank(b));
}
