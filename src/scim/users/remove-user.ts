// Ends the membership. An account that the organization manages is shut, and erased if nobody else counts on it: if it is
// in no other organization, and after some days, in which provisioning it again brings it back. A deletion opens nothing.
import type { Role } from '../../contract/common.ts';
import { askErasure } from '../../leaving/erasures.ts';
import { lockPerson, shutAccount } from '../../leaving/shut-person.ts';
import { lockPlace } from '../lock-place.ts';
import type { ScimDeps } from '../scim-deps.ts';
import { isElsewhere } from './account.ts';
import { getUser } from './find-users.ts';
import { endMembership } from './user-access.ts';

const DAY_MS = 86_400_000;

/** Throws `last_owner`. */
export function removeUser(deps: ScimDeps, organizationId: string, userId: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    await getUser(tx, organizationId, userId);
    await lockPerson(tx, userId);
    await lockPlace(deps.db, tx, organizationId);
    const { managed, role } = await getUser(tx, organizationId, userId);
    await endMembership(deps, tx, { organizationId, userId, role: role as Role });
    if (managed) await shutAccount(deps, tx, userId, organizationId);
    await tx.query('delete from :schema.organization_member where organization_id = $1 and user_id = $2', [
      organizationId,
      userId,
    ]);
    if (!managed || (await isElsewhere(tx, organizationId, userId))) return;
    const at = deps.clock();
    const dueAt = new Date(at.getTime() + deps.deletionDays * DAY_MS);
    await askErasure(tx, { kind: 'person', id: userId, askedBy: `organization:${organizationId}`, at, dueAt });
  });
}
