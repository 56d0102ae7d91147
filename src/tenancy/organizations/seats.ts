import { AppError } from '../../base/errors.ts';
import type { Queryable } from '../../store/database.ts';
import { PLANS } from './plans.ts';
import type { Plan } from '../members/membership.ts';

/** Members take seats; suspended ones and open invitations do not. Call it under the organization's lock. */
export async function requireFreeSeat(db: Queryable, organizationId: string, plan: Plan): Promise<void> {
  const capacity = PLANS[plan].seats;
  if ((await countSeats(db, organizationId)) >= capacity) throw new AppError('seat_capacity_reached', { capacity });
}

export async function countSeats(db: Queryable, organizationId: string): Promise<number> {
  const { rows } = await db.query<{ used: number }>(
    'select count(*) as used from :schema.organization_member where organization_id = $1 and suspended_at is null',
    [organizationId],
  );
  return rows[0]?.used ?? 0;
}
