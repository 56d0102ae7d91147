// Members of a named workspace. Its last owner may leave: the organization's owners and admins keep authority over it.
// Membership in Global and Default follows the organization and is not changed here.
import { AppError } from '../../base/errors.ts';
import type { Role } from '../../contract/common.ts';
import type { Member } from '../../contract/organizations.ts';
import type { Database, Transaction } from '../../store/database.ts';
import { requireMutationAuthority } from '../authority.ts';
import type { MembershipLookup } from '../members/find-membership.ts';
import { withLockedMembership } from '../members/get-membership.ts';
import { findMember, findWorkspaceMember } from '../members/list-members.ts';
import type { Membership } from '../members/membership.ts';

export function addWorkspaceMember(
  db: Database,
  lookup: MembershipLookup,
  userId: string,
  role: Role,
): Promise<Member> {
  return withLockedMembership(db, lookup, async (tx, membership) => {
    requireMutationAuthority(membership);
    requireNamed(membership);
    const { organizationId, workspaceId } = membership;
    if (!(await findMember(tx, organizationId, userId))) throw new AppError('user_not_found');
    const { rowCount } = await tx.query(
      'insert into :schema.workspace_member (workspace_id, user_id, organization_id, role) values ($1, $2, $3, $4) on conflict (workspace_id, user_id) do nothing',
      [workspaceId, userId, organizationId, role],
    );
    if (rowCount === 0) throw new AppError('already_member');
    return getWorkspaceMember(tx, workspaceId, userId);
  });
}

export function changeWorkspaceMemberRole(
  db: Database,
  lookup: MembershipLookup,
  userId: string,
  role: Role,
): Promise<Member> {
  return withLockedMembership(db, lookup, async (tx, membership) => {
    requireMutationAuthority(membership);
    requireNamed(membership);
    const member = await getWorkspaceMember(tx, membership.workspaceId, userId);
    await tx.query('update :schema.workspace_member set role = $3 where workspace_id = $1 and user_id = $2', [
      membership.workspaceId,
      userId,
      role,
    ]);
    return { ...member, role };
  });
}

export function removeWorkspaceMember(db: Database, lookup: MembershipLookup, userId: string): Promise<void> {
  return withLockedMembership(db, lookup, async (tx, membership) => {
    if (userId !== membership.userId) requireMutationAuthority(membership);
    requireNamed(membership);
    await getWorkspaceMember(tx, membership.workspaceId, userId);
    await tx.query('delete from :schema.workspace_member where workspace_id = $1 and user_id = $2', [
      membership.workspaceId,
      userId,
    ]);
  });
}

function requireNamed(membership: Membership): void {
  if (membership.workspaceKind !== 'named') throw new AppError('workspace_reserved');
}

async function getWorkspaceMember(tx: Transaction, workspaceId: string, userId: string): Promise<Member> {
  const member = await findWorkspaceMember(tx, workspaceId, userId);
  if (!member) throw new AppError('not_found');
  return member;
}
