import type { OrganizationUsage } from '../../../src/contract/usage.ts';

export type UsageMetric = 'cost' | 'requests' | 'tokens';

export interface DaySum {
  /** YYYY-MM-DD, UTC. */
  readonly date: string;
  readonly value: number;
}

const DAY_MS = 86_400_000;

const VALUE_OF = {
  cost: ({ cost }) => cost,
  requests: ({ requests }) => requests,
  tokens: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
} as const satisfies Record<UsageMetric, (day: OrganizationUsage['days'][number]) => number>;

/** A sum for each of the last `count` days including today, oldest first; days without usage are zero. */
export function sumUsage(days: OrganizationUsage['days'], metric: UsageMetric, count: number, nowMs: number): DaySum[] {
  const sums = new Map<string, number>();
  for (const day of days) sums.set(day.date, (sums.get(day.date) ?? 0) + VALUE_OF[metric](day));
  return Array.from({ length: count }, (_, at) => {
    const date = new Date(nowMs - (count - 1 - at) * DAY_MS).toISOString().slice(0, 10);
    return { date, value: sums.get(date) ?? 0 };
  });
}

/** The next round number at or above a value: 1, 2 or 5 times a power of ten. */
export function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value * (1 - 1e-9)) ?? 10) * power;
}
