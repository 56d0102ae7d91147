// For routes outside the contract that name the organization by id or slug.
import type { Session } from '../../identity/sessions/find-session.ts';
import { requireSecondFactor } from '../../identity/sessions/second-factor-demand.ts';
import type { Queryable } from '../../store/database.ts';
import { getMembership } from '../../tenancy/members/get-membership.ts';

/** Throws `second_factor_required`. Most sessions owe nothing, and then nothing is read. */
export async function requireSecondFactorIn(db: Queryable, session: Session, organization: string): Promise<void> {
  if (!session.owesSecondFactor) return;
  const { organizationId } = await getMembership(db, { userId: session.user.id, organizationId: organization });
  await requireSecondFactor(db, session, organizationId);
}
