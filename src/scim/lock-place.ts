import { AppError } from '../base/errors.ts';
import type { Database, Transaction } from '../store/database.ts';
import { lockOrganization } from '../tenancy/members/get-membership.ts';
import type { Plan } from '../tenancy/members/membership.ts';

/** One change at a time per organization, decided on the state at its turn. Returns its plan, which decides on seats. */
export async function lockPlace(db: Database, tx: Transaction, organizationId: string): Promise<Plan> {
  await lockOrganization(db, tx, organizationId);
  const { rows } = await tx.query<{ plan: Plan }>(
    'select plan from :schema.organization where id = $1 and deleted_at is null and disabled_at is null',
    [organizationId],
  );
  const [row] = rows;
  if (!row) throw new AppError('unauthenticated');
  return row.plan;
}
