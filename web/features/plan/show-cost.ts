import { formatNumber, formatCost } from '../../language/format.ts';
import { spendStrings as strings } from './spend-strings.ts';

/** Requests whose price is unknown are counted beside the cost of the others, which is never zero. */
export function showCost({ cost, unpriced }: { readonly cost: number; readonly unpriced: number }): string {
  if (unpriced === 0) return formatCost(cost);
  return cost === 0 ? strings.unknown : strings.withUnknown(formatCost(cost), formatNumber(unpriced));
}
