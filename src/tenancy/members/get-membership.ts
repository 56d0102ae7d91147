// The membership, or a refusal. What the caller cannot see is `not_found`, whether it exists or not.
import { AppError } from '../../base/errors.ts';
import type { Database, Queryable, Transaction } from '../../store/database.ts';
import { notify } from '../../store/listen.ts';
import { seesWorkspace } from '../authority.ts';
import { findMembership, type MembershipLookup } from './find-membership.ts';
import type { Membership } from './membership.ts';
import { refusePaused } from './refuse-paused.ts';

export async function getMembership(db: Queryable, lookup: MembershipLookup): Promise<Membership> {
  const membership = await findMembership(db, lookup);
  if (membership && seesWorkspace(membership)) return membership;
  if (!membership) await refusePaused(db, lookup);
  throw new AppError('not_found');
}

/**
 * Every change to the members of an organization or its workspaces runs here: one at a time per organization, decided
 * on the state at its turn. So two owners cannot demote each other at once, and the last seat is given once.
 */
export function withLockedMembership<T>(
  db: Database,
  lookup: MembershipLookup,
  work: (tx: Transaction, membership: Membership) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    const { organizationId } = await getMembership(tx, lookup);
    await lockOrganization(db, tx, organizationId);
    return work(tx, await getMembership(tx, lookup));
  });
}

/**
 * The weakest lock that excludes itself: foreign keys to the organization are not blocked. Listeners on the topic
 * `tenancy` get the organization's id if the change commits, and check again who may still listen.
 */
export async function lockOrganization(db: Database, tx: Transaction, organizationId: string): Promise<void> {
  await tx.query('select 1 from :schema.organization where id = $1 for no key update', [organizationId]);
  await notify(tx, db, 'tenancy', organizationId);
}
