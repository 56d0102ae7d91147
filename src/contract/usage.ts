import { z } from 'zod';
import { route } from './authority.ts';
import { id, served } from './common.ts';

const usd = z.number();

const usageDay = z.object({
  date: z.iso.date(),
  model: z.string(),
  served,
  provider: z.string(),
  credential: z.enum(['models-account', 'own-key', 'platform']),
  requests: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cost: usd.describe(
    'What platform credit was charged: 0 on own keys and Models accounts. `/spend` has the list price of requests on own keys.',
  ),
});

/** Money is in US dollars. */
const organizationUsage = z.object({
  plan: z.enum(['free', 'team', 'business']),
  seats: z.object({ used: z.number(), capacity: z.number() }),
  signupCredit: z.object({ granted: usd, remaining: usd }),
  /** For this calendar month, UTC. */
  seatBudget: z.object({ monthly: usd, remaining: usd }),
  /** Attachments and the artifacts of runs; beyond the limit, uploads are refused with 413. */
  storage: z.object({ usedBytes: z.number().int(), limitBytes: z.number().int() }),
  /** Reserved for requests in progress. */
  reserved: usd,
  /** Signup credit spent so far, plus seat budget spent this month. */
  spent: usd,
  days: z.array(usageDay),
});
export type OrganizationUsage = z.infer<typeof organizationUsage>;

export const usage = {
  show: route('database', 'member')
    .route({
      method: 'GET',
      path: '/api/organizations/{org}/usage',
      tags: ['Usage'],
      summary: 'Plan, seats, budgets, storage and daily usage',
      description: 'Every member may read it. `days` is the number of days up to today, newest first.',
    })
    .input(z.strictObject({ org: id, days: z.coerce.number().int().min(1).max(366).optional() }))
    .output(organizationUsage),
};
