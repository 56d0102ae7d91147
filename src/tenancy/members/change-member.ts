// Changing and removing members. The last owner can be neither demoted nor removed.
import { AppError } from '../../base/errors.ts';
import type { Role } from '../../contract/common.ts';
import type { Member } from '../../contract/organizations.ts';
import type { Database, Transaction } from '../../store/database.ts';
import { requireOwnerFor, requireSettings } from '../authority.ts';
import type { MembershipLookup } from './find-membership.ts';
import { withLockedMembership } from './get-membership.ts';
import { findMember } from './list-members.ts';

export function changeMemberRole(db: Database, lookup: MembershipLookup, userId: string, role: Role): Promise<Member> {
  return withLockedMembership(db, lookup, async (tx, membership) => {
    requireSettings(membership, 'members');
    const member = await getMember(tx, membership.organizationId, userId);
    if (member.role === role) return member;
    await requireAnotherOwner(tx, membership.organizationId, member);
    requireOwnerFor(membership, member.role, role);
    await tx.query('update :schema.organization_member set role = $3 where organization_id = $1 and user_id = $2', [
      membership.organizationId,
      userId,
      role,
    ]);
    return { ...member, role };
  });
}

/** Members may remove themselves. A foreign key removes their workspace memberships too. */
export function removeMember(db: Database, lookup: MembershipLookup, userId: string): Promise<void> {
  return withLockedMembership(db, lookup, async (tx, membership) => {
    if (userId !== membership.userId) requireSettings(membership, 'members');
    const member = await getMember(tx, membership.organizationId, userId);
    await requireAnotherOwner(tx, membership.organizationId, member);
    requireOwnerFor(membership, member.role);
    await tx.query('delete from :schema.organization_member where organization_id = $1 and user_id = $2', [
      membership.organizationId,
      userId,
    ]);
  });
}

async function getMember(tx: Transaction, organizationId: string, userId: string): Promise<Member> {
  const member = await findMember(tx, organizationId, userId);
  if (!member) throw new AppError('not_found');
  return member;
}

/** Under the organization's lock. Throws `last_owner`. */
export async function requireAnotherOwner(
  tx: Transaction,
  organizationId: string,
  member: Pick<Member, 'user' | 'role'>,
): Promise<void> {
  if (member.role === 'owner' && (await isLastOwner(tx, organizationId, member.user))) throw new AppError('last_owner');
}

/** For an owner: whether there is no other. */
export async function isLastOwner(tx: Transaction, organizationId: string, userId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    "select 1 from :schema.acting_member where organization_id = $1 and role = 'owner' and user_id <> $2 limit 1",
    [organizationId, userId],
  );
  return rowCount === 0;
}
