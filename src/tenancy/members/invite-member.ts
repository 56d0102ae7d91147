import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Clock } from '../../base/clock.ts';
import type { Role } from '../../contract/common.ts';
import type { Database, Transaction } from '../../store/database.ts';
import { requireOwnerFor, requireSettings } from '../authority.ts';
import type { MembershipLookup } from './find-membership.ts';
import { withLockedMembership } from './get-membership.ts';
import type { Invitation } from './list-invitations.ts';
import type { Membership } from './membership.ts';
import { requireFreeSeat } from '../organizations/seats.ts';

const LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

export interface Invited {
  readonly email: string;
  readonly role: Role;
  /** In the same transaction. */
  readonly onInvited?: (tx: Transaction, invitation: Invitation, membership: Membership) => Promise<void>;
}

/** A second invitation to the same address replaces the first, whose link stops working. */
export function inviteMember(
  db: Database,
  clock: Clock,
  lookup: MembershipLookup,
  { email, role, onInvited }: Invited,
): Promise<Invitation> {
  return withLockedMembership(db, lookup, async (tx, membership) => {
    requireSettings(membership, 'members');
    requireOwnerFor(membership, role);
    const { organizationId, plan, userId } = membership;
    const already = await tx.query(
      'select 1 from :schema.organization_member m join :schema.identity_user u on u.id = m.user_id where m.organization_id = $1 and u.email = $2',
      [organizationId, email],
    );
    if (already.rowCount > 0) throw new AppError('already_member');
    await requireFreeSeat(tx, organizationId, plan);
    await tx.query('delete from :schema.invitation where organization_id = $1 and email = $2 and accepted_at is null', [
      organizationId,
      email,
    ]);
    const invitation = await insertInvitation(tx, clock, { organizationId, email, role, invitedBy: userId });
    await onInvited?.(tx, invitation, membership);
    return invitation;
  });
}

export interface NewInvitation {
  readonly organizationId: string;
  readonly email: string;
  readonly role: Role;
  /** Absent when an operator invites. */
  readonly invitedBy?: string;
}

export async function insertInvitation(
  tx: Transaction,
  clock: Clock,
  { organizationId, email, role, invitedBy }: NewInvitation,
): Promise<Invitation> {
  const createdAt = clock();
  const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS);
  const id = newId('inv');
  await tx.query(
    'insert into :schema.invitation (id, organization_id, email, role, invited_by, created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7)',
    [id, organizationId, email, role, invitedBy ?? null, createdAt, expiresAt],
  );
  return { id, email, role, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
}
