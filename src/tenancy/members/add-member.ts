import { AppError } from '../../base/errors.ts';
import type { Role } from '../../contract/common.ts';
import type { Member } from '../../contract/organizations.ts';
import type { Database, Transaction } from '../../store/database.ts';
import { requireOwnerFor, requireSettings } from '../authority.ts';
import { type Account, findAccount } from '../find-account.ts';
import type { MembershipLookup } from './find-membership.ts';
import { withLockedMembership } from './get-membership.ts';
import { findMember } from './list-members.ts';
import { requireFreeSeat } from '../organizations/seats.ts';

/**
 * Adds the person whose account has this email address. If addresses are not verified, that may be a stranger who
 * registered it first, so the result says what is known about the account; an invitation also requires its link.
 */
export function addMember(
  db: Database,
  lookup: MembershipLookup,
  input: { email: string; role: Role },
): Promise<{ member: Member; account: Pick<Account, 'verified' | 'registeredAt'> }> {
  return withLockedMembership(db, lookup, async (tx, membership) => {
    requireSettings(membership, 'members');
    requireOwnerFor(membership, input.role);
    const account = await findAccount(tx, input.email);
    if (!account) throw new AppError('user_not_found');
    const { user, verified, registeredAt } = account;
    const { organizationId, plan } = membership;
    if (await findMember(tx, organizationId, user)) throw new AppError('already_member');
    await requireFreeSeat(tx, organizationId, plan);
    await insertMember(tx, organizationId, user, input.role);
    // An open invitation would let the person come back after being removed.
    await tx.query('delete from :schema.invitation where organization_id = $1 and email = $2 and accepted_at is null', [
      organizationId,
      input.email,
    ]);
    const member = await findMember(tx, organizationId, user);
    if (!member) throw new AppError('conflict');
    return { member, account: { verified, registeredAt } };
  });
}

export async function insertMember(tx: Transaction, organizationId: string, userId: string, role: Role): Promise<void> {
  await tx.query('insert into :schema.organization_member (organization_id, user_id, role) values ($1, $2, $3)', [
    organizationId,
    userId,
    role,
  ]);
}
