const cents = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD' });
const small = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD', maximumSignificantDigits: 2 });

/** In dollars and cents; less than a cent is not rounded to nothing. */
export function showCost(cost: number): string {
  return cost > 0 && cost < 0.01 ? small.format(cost) : cents.format(cost);
}
