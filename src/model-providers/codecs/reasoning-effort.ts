import type { Effort, Reasoning } from './neutral.ts';

/** The effort of a request; fitting it to the model happens elsewhere. */
export function effortOf(reasoning: Reasoning | undefined): Effort | undefined {
  return reasoning?.effort ?? effortOfBudget(reasoning?.budgetTokens);
}

/** A thinking budget in tokens as an effort. */
function effortOfBudget(budget: number | undefined): Effort | undefined {
  if (budget === undefined) return undefined;
  if (budget <= 2048) return 'low';
  return budget <= 8192 ? 'medium' : 'high';
}
