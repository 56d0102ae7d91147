import type { Role } from '../../contract/common.ts';
import { lockPerson } from '../../leaving/shut-person.ts';
import { lockPlace } from '../lock-place.ts';
import { addressOf, nameOf, type UserRecord } from '../protocol/user-record.ts';
import type { ScimDeps } from '../scim-deps.ts';
import { findAccount, renameAccount } from './account.ts';
import { type FoundUser, getUser } from './find-users.ts';
import { requireFreeName, saveRecord } from './save-record.ts';
import { restoreMember, suspendMember } from './user-access.ts';

/** Throws `last_owner` and `seat_capacity_reached`. */
export function changeUser(
  deps: ScimDeps,
  organizationId: string,
  userId: string,
  change: (before: UserRecord) => UserRecord,
): Promise<FoundUser> {
  return deps.db.transaction(async (tx) => {
    await getUser(tx, organizationId, userId);
    await lockPerson(tx, userId);
    const plan = await lockPlace(deps.db, tx, organizationId);
    const before = await getUser(tx, organizationId, userId);
    const record = change(before.record);
    await requireFreeName(tx, { organizationId, userId }, record);
    await saveRecord(tx, { organizationId, userId, at: deps.clock() }, record);
    if (before.managed && isRenamed(before.record, record)) await renameAccount(tx, organizationId, userId, record);
    const account = await findAccount(tx, { id: userId });
    if (account && !record.active && !before.suspended)
      await suspendMember(deps, tx, { organizationId, userId, role: before.role as Role }, account);
    if (account && record.active && !before.record.active)
      await restoreMember(deps, tx, { organizationId, userId, plan }, account);
    return getUser(tx, organizationId, userId);
  });
}

/** Otherwise the account keeps the name and the address that the person has given it. */
function isRenamed(before: UserRecord, after: UserRecord): boolean {
  return nameOf(before) !== nameOf(after) || addressOf(before) !== addressOf(after);
}
