import { AppError } from '../base/errors.ts';
import type { Role } from '../contract/common.ts';
import type { Member } from '../contract/organizations.ts';
import type { Database, Transaction } from '../store/database.ts';
import { requireOwnerFor, requireSettings } from './authority.ts';
import type { Place } from './find-standing.ts';
import { withLockedStanding } from './get-standing.ts';
import { findMember } from './list-members.ts';
import { requireFreeSeat } from './seats.ts';

/** Adds a person who already has an account, by e-mail address. */
export function addMember(db: Database, place: Place, input: { email: string; role: Role }): Promise<Member> {
  return withLockedStanding(db, place, async (tx, standing) => {
    requireSettings(standing, 'members');
    requireOwnerFor(standing, input.role);
    const user = await findUserByEmail(tx, input.email);
    if (user === undefined) throw new AppError('user_not_found');
    const { organizationId, plan } = standing;
    if (await findMember(tx, organizationId, user)) throw new AppError('already_member');
    await requireFreeSeat(tx, organizationId, plan);
    await insertMember(tx, organizationId, user, input.role);
    // An invitation left open would let the person come back after being removed.
    await tx.query('delete from :schema.invitation where organization_id = $1 and email = $2 and accepted_at is null', [organizationId, input.email]);
    const member = await findMember(tx, organizationId, user);
    if (!member) throw new AppError('conflict');
    return member;
  });
}

export async function insertMember(tx: Transaction, organizationId: string, userId: string, role: Role): Promise<void> {
  await tx.query('insert into :schema.organization_member (organization_id, user_id, role) values ($1, $2, $3)', [organizationId, userId, role]);
}

async function findUserByEmail(tx: Transaction, email: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ id: string }>('select id from :schema.identity_user where email = $1', [email]);
  return rows[0]?.id;
}
