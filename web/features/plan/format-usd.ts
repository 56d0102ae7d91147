const cents = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD' });
const fractions = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD', maximumFractionDigits: 6 });

/** A request may cost a fraction of a cent, so small amounts are not rounded to zero. */
export function formatUsd(amount: number): string {
  return amount !== 0 && Math.abs(amount) < 0.1 ? fractions.format(amount) : cents.format(amount);
}
