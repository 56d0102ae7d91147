import type { Effort, Reasoning } from './neutral.ts';

/** What to tell a model that takes efforts; which of them it takes is seen to before. */
export function effortOf(reasoning: Reasoning | undefined): Effort | undefined {
  return reasoning?.effort ?? effortOfBudget(reasoning?.budgetTokens);
}

/** A thinking budget in tokens as an effort. */
function effortOfBudget(budget: number | undefined): Effort | undefined {
  if (budget === undefined) return undefined;
  if (budget <= 2048) return 'low';
  return budget <= 8192 ? 'medium' : 'high';
}
