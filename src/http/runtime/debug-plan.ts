import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import type { Database } from '../../store/database.ts';
import { PLANS } from '../../tenancy/plans.ts';
import { setPlan } from '../../tenancy/set-plan.ts';
import type { Plan } from '../../tenancy/standing.ts';

const plans = Object.keys(PLANS) as [Plan, ...Plan[]];
const planBody = z.strictObject({ plan: z.enum(plans) });

/** Changes the plan of an organization, by id or slug. */
export async function changePlan(
  db: Database,
  organization: string,
  body: unknown,
): Promise<{ ok: true; organization: { id: string; slug: string; plan: Plan } }> {
  const parsed = planBody.safeParse(body);
  if (!parsed.success)
    throw new AppError('invalid_request', { plan: `the body takes one field, plan: ${plans.join(', ')}` });
  return { ok: true, organization: await setPlan(db, organization, parsed.data.plan) };
}
