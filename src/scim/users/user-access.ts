// Taking access away and giving it back. A member is suspended in this organization only; the account that it manages is
// shut as a whole. Either ends what is open within two seconds, by the view of acting members.
import { revokeGrantsOf } from '../../identity/oauth/revoke-grant.ts';
import { shutAccount } from '../../leaving/shut-person.ts';
import type { Role } from '../../contract/common.ts';
import type { Transaction } from '../../store/database.ts';
import { requireAnotherOwner } from '../../tenancy/members/change-member.ts';
import type { Plan } from '../../tenancy/members/membership.ts';
import { requireFreeSeat } from '../../tenancy/organizations/seats.ts';
import { revokeTokensIn } from '../../tenancy/tokens/revoke-token.ts';
import type { ScimDeps } from '../scim-deps.ts';
import { type FoundAccount, reopenAccount } from './account.ts';

export interface MemberRef {
  readonly organizationId: string;
  readonly userId: string;
  readonly role: Role;
}

/** Under the locks of the person and of the organization. Throws `last_owner`. */
export async function suspendMember(
  deps: ScimDeps,
  tx: Transaction,
  member: MemberRef,
  account: FoundAccount,
): Promise<void> {
  await endMembership(deps, tx, member);
  await tx.query(
    'update :schema.organization_member set suspended_at = $3 where organization_id = $1 and user_id = $2 and suspended_at is null',
    [member.organizationId, member.userId, deps.clock()],
  );
  if (account.managedBy === member.organizationId) await shutAccount(deps, tx, member.userId, member.organizationId);
}

/** Throws `seat_capacity_reached`: a suspended member has no seat. */
export async function restoreMember(
  deps: ScimDeps,
  tx: Transaction,
  { organizationId, userId, plan }: Omit<MemberRef, 'role'> & { readonly plan: Plan },
  account: FoundAccount,
): Promise<void> {
  const { rows } = await tx.query<{ suspended: boolean }>(
    'select suspended_at is not null as suspended from :schema.organization_member where organization_id = $1 and user_id = $2',
    [organizationId, userId],
  );
  if (rows[0]?.suspended) {
    await requireFreeSeat(tx, organizationId, plan);
    await tx.query(
      'update :schema.organization_member set suspended_at = null where organization_id = $1 and user_id = $2',
      [organizationId, userId],
    );
  }
  if (account.managedBy === organizationId) await reopenAccount(deps, tx, organizationId, account);
}

/** What a member has in this organization no longer opens anything, even if they come back. */
export async function endMembership(deps: ScimDeps, tx: Transaction, member: MemberRef): Promise<void> {
  const { organizationId, userId, role } = member;
  await requireAnotherOwner(tx, organizationId, { user: userId, role });
  await revokeGrantsOf(tx, deps, userId, organizationId);
  await revokeTokensIn({ db: tx, clock: deps.clock }, { userId, organizationId });
}
