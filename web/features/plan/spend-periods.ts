// The periods that the pages offer, as days in UTC.
import type { Period } from './spend-queries.ts';

export const PERIODS = ['month', 'last', 'quarter'] as const;
export type PeriodName = (typeof PERIODS)[number];

export function periodOf(name: PeriodName, now: Date): Period {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  switch (name) {
    case 'month':
      return { from: day(Date.UTC(year, month, 1)), to: day(now.getTime()) };
    case 'last':
      return { from: day(Date.UTC(year, month - 1, 1)), to: day(Date.UTC(year, month, 0)) };
    case 'quarter':
      return { from: day(Date.UTC(year, month - 2, 1)), to: day(now.getTime()) };
  }
}

/** Every day of the period, oldest first. */
export function daysOf({ from, to }: Period): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}
