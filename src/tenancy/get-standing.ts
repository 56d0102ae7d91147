// The membership, or a refusal. What the caller cannot see is `not_found`, whether it exists or not.
import { AppError } from '../base/errors.ts';
import type { Database, Queryable, Transaction } from '../store/database.ts';
import { notify } from '../store/listen.ts';
import { seesWorkspace } from './authority.ts';
import { findStanding, type Place } from './find-standing.ts';
import type { Standing } from './standing.ts';

export async function getStanding(db: Queryable, place: Place): Promise<Standing> {
  const standing = await findStanding(db, place);
  if (!standing || !seesWorkspace(standing)) throw new AppError('not_found');
  return standing;
}

/**
 * Every change to the members of an organization or its workspaces runs here: one at a time per organization, decided
 * on the state at its turn. So two owners cannot demote each other at once, and the last seat is given once.
 */
export function withLockedStanding<T>(
  db: Database,
  place: Place,
  work: (tx: Transaction, standing: Standing) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    const { organizationId } = await getStanding(tx, place);
    await lockOrganization(db, tx, organizationId);
    return work(tx, await getStanding(tx, place));
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
