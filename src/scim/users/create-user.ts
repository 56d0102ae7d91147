import type { Transaction } from '../../store/database.ts';
import { lockPerson } from '../../leaving/shut-person.ts';
import { insertMember } from '../../tenancy/members/add-member.ts';
import { requireFreeSeat } from '../../tenancy/organizations/seats.ts';
import { lockPlace } from '../lock-place.ts';
import { addressOf, type UserRecord } from '../protocol/user-record.ts';
import type { ScimDeps } from '../scim-deps.ts';
import { ScimError } from '../scim-error.ts';
import { findAccount, insertAccount, renameAccount, reopenAccount } from './account.ts';
import { type FoundUser, getUser } from './find-users.ts';
import { requireFreeName, saveRecord } from './save-record.ts';
import { suspendMember } from './user-access.ts';

/**
 * Makes the person a member. Their account is made if there is none with the address; an account that is there already
 * stays as it is. Throws `seat_capacity_reached`.
 */
export function createUser(deps: ScimDeps, organizationId: string, record: UserRecord): Promise<FoundUser> {
  const email = addressOf(record);
  return deps.db.transaction(async (tx) => {
    const known = await findAccount(tx, { email });
    if (known) await lockPerson(tx, known.id);
    const plan = await lockPlace(deps.db, tx, organizationId);
    await requireFreeName(tx, { organizationId, userId: undefined }, record);
    if (record.active) await requireFreeSeat(tx, organizationId, plan);
    const userId = known ? await takeIn(deps, tx, organizationId, record) : undefined;
    const id = userId ?? (await insertAccount(deps, tx, organizationId, record));
    await insertMember(tx, organizationId, id, 'member');
    await saveRecord(tx, { organizationId, userId: id, at: deps.clock() }, record);
    // An open invitation would let the person come back after they are deprovisioned.
    await tx.query('delete from :schema.invitation where organization_id = $1 and email = $2 and accepted_at is null', [
      organizationId,
      email,
    ]);
    const account = await findAccount(tx, { id });
    if (!record.active && account)
      await suspendMember(deps, tx, { organizationId, userId: id, role: 'member' }, account);
    return getUser(tx, organizationId, id);
  });
}

/** An account that this organization made before, and whose membership ended, is its own again. */
async function takeIn(
  deps: ScimDeps,
  tx: Transaction,
  organizationId: string,
  record: UserRecord,
): Promise<string | undefined> {
  const account = await findAccount(tx, { email: addressOf(record) });
  if (!account) return undefined;
  const { rowCount } = await tx.query(
    'select 1 from :schema.organization_member where organization_id = $1 and user_id = $2',
    [organizationId, account.id],
  );
  if (rowCount > 0) throw new ScimError('uniqueness', 'The organization has a user with this address.');
  if (account.managedBy === organizationId) {
    await reopenAccount(deps, tx, organizationId, account);
    await renameAccount(tx, organizationId, account.id, record);
  }
  return account.id;
}
