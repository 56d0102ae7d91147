const cents = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD' });
const fractions = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'USD', maximumFractionDigits: 6 });

/** A single request may cost a fraction of a cent: such an amount is not rounded to nothing. */
export function formatUsd(amount: number): string {
  return amount !== 0 && Math.abs(amount) < 0.1 ? fractions.format(amount) : cents.format(amount);
}
