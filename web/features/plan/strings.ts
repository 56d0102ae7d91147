import { inLanguage } from '../../language/language.ts';
import { german } from './strings.de.ts';

const planEnglish = {
  title: 'Plan and usage',
  description:
    'What your plan includes, what is left, and what was used. A plan sets seats, credit and budget; every plan has every feature. Your operator can change it.',
  loadFailed: 'The usage of this organization could not be loaded.',
  plan: 'Plan',
  seats: 'Seats',
  seatsValue: (used: number, capacity: number): string => `${used} of ${capacity}`,
  seatsText: 'Each member takes one. Open invitations take none.',
  credit: 'Signup credit',
  budget: 'Seat budget',
  leftOf: (remaining: string, granted: string): string => `${remaining} left of ${granted}`,
  creditText: 'Granted once.',
  budgetText: 'For this calendar month, UTC.',
  noBudget: 'Not in this plan',
  noCredit: 'None',
  storage: 'Storage',
  storageValue: (used: string, limit: string): string => `${used} of ${limit}`,
  storageText: 'Attachments and files from runs.',
  reserved: 'Reserved',
  reservedText: 'Held for requests in progress.',
  spent: 'Spent',
  spentText: 'All credit so far, plus this month’s seat budget.',
  usage: 'Usage by day',
  range: 'Period',
  ranges: { '7': '7 days', '31': '31 days', '90': '90 days' } as Readonly<Record<string, string>>,
  metric: 'Chart shows',
  metrics: { cost: 'Cost', requests: 'Requests', tokens: 'Tokens' },
  empty: 'No usage in this period',
  emptyText: 'Requests to models appear here on the day they are made, regardless of who pays.',
  chart: (metric: string, total: string, highest: string, date: string): string =>
    `${metric} per day. Total ${total}. Highest: ${highest} on ${date}. The table below has every figure.`,
  total: (total: string): string => `Total ${total}`,
  bar: (date: string, value: string): string => `${date}: ${value}`,
  table: 'Usage by day, model and credential',
  columns: {
    date: 'Day',
    model: 'Model, provider, paid by',
    requests: 'Requests',
    cost: 'Cost',
    inputTokens: 'Tokens in',
    outputTokens: 'Tokens out',
  },
  credentials: { 'models-account': 'Models account', 'own-key': 'Own key', platform: 'Platform credit' },
  more: (count: number): string => `Show all ${count} rows`,
} as const;

/** The texts of this file by the name that they are exported by. */
export const english = {
  planStrings: planEnglish,
};

export const { planStrings } = inLanguage(english, german);
