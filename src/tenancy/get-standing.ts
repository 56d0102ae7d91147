// Standing or refusal. What is not there for the caller is `not_found`, whether it exists or not.
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
 * Everything that changes who is in an organization, or in one of its workspaces, runs here: one change at a time
 * per organization, decided on what was true when its turn came. So two owners cannot demote each other at once,
 * and the last seat is given once.
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
 * The weakest lock that excludes itself: rows elsewhere may go on referring to the organization meanwhile. Listeners
 * of the topic `tenancy` hear the organization's id if the change commits, and look again at who may still listen.
 */
export async function lockOrganization(db: Database, tx: Transaction, organizationId: string): Promise<void> {
  await tx.query('select 1 from :schema.organization where id = $1 for no key update', [organizationId]);
  await notify(tx, db, 'tenancy', organizationId);
}
