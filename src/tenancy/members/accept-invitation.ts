// An invitation is for the person with its email address. To everyone else it does not exist, even with the link.
import { AppError } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { Role } from '../../contract/common.ts';
import type { Organization } from '../../contract/organizations.ts';
import type { Database, Queryable } from '../../store/database.ts';
import { insertMember } from './add-member.ts';
import { findMembership } from './find-membership.ts';
import { lockOrganization } from './get-membership.ts';
import { findMember } from './list-members.ts';
import { claimOrganization } from '../organizations/insert-organization.ts';
import { requireFreeSeat } from '../organizations/seats.ts';
import type { Plan, Membership } from './membership.ts';

export interface Invitee {
  readonly id: string;
  readonly email: string;
}

interface OfferRow extends Record<string, unknown> {
  id: string;
  organization_id: string;
  organization_name: string;
  plan: Plan;
  email: string;
  role: Role;
  expires_at: Date;
  by_operator: boolean;
  accepted_by: string | null;
}

export interface Offer {
  readonly id: string;
  readonly organization: { readonly id: string; readonly name: string };
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: string;
}

export async function showInvitation(db: Queryable, clock: Clock, invitee: Invitee, id: string): Promise<Offer> {
  const row = await getOffer(db, clock, invitee, id);
  return {
    id: row.id,
    organization: { id: row.organization_id, name: row.organization_name },
    email: row.email,
    role: row.role,
    expiresAt: row.expires_at.toISOString(),
  };
}

/**
 * Accepting again returns the same while the person is a member, and never restores one who was removed. Someone who
 * is already a member keeps their role.
 */
export function acceptInvitation(db: Database, clock: Clock, invitee: Invitee, id: string): Promise<Organization> {
  return db.transaction(async (tx) => {
    await lockOrganization(db, tx, (await getOffer(tx, clock, invitee, id)).organization_id);
    const offer = await getOffer(tx, clock, invitee, id);
    const place = { userId: invitee.id, organizationId: offer.organization_id };
    const before = await findMembership(tx, place);
    if (offer.accepted_by !== null) return toOrganization(before);
    if (!before) {
      // Suspended: an invitation from before does not give access back.
      if (await findMember(tx, offer.organization_id, invitee.id)) throw new AppError('not_found');
      await requireFreeSeat(tx, offer.organization_id, offer.plan);
      await insertMember(tx, offer.organization_id, invitee.id, offer.role);
      if (offer.by_operator) await claimOrganization(tx, offer.organization_id, invitee.id);
    }
    await tx.query('update :schema.invitation set accepted_by = $2, accepted_at = $3 where id = $1', [
      id,
      invitee.id,
      clock(),
    ]);
    return toOrganization(before ?? (await findMembership(tx, place)));
  });
}

async function getOffer(db: Queryable, clock: Clock, invitee: Invitee, id: string): Promise<OfferRow> {
  const { rows } = await db.query<OfferRow>(
    `select i.id, i.organization_id, o.name as organization_name, o.plan, i.email, i.role, i.expires_at, i.invited_by is null as by_operator, i.accepted_by
       from :schema.invitation i join :schema.organization o on o.id = i.organization_id
      where i.id = $1 and i.email = $2 and (i.accepted_by is null or i.accepted_by = $3)`,
    [id, invitee.email, invitee.id],
  );
  const [row] = rows;
  if (!row) throw new AppError('not_found');
  if (row.accepted_by === null && row.expires_at <= clock()) throw new AppError('invitation_expired');
  return row;
}

function toOrganization(membership: Membership | undefined): Organization {
  if (!membership) throw new AppError('not_found');
  return {
    id: membership.organizationId,
    slug: membership.organizationSlug,
    name: membership.organizationName,
    plan: membership.plan,
    role: membership.organizationRole,
  };
}
