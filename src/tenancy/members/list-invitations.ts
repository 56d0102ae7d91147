import { AppError } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { Role } from '../../contract/common.ts';
import type { Queryable } from '../../store/database.ts';
import { cutPage, type PageRequest, readIdCursor, rowsToRead } from '../paging.ts';
import type { Membership } from './membership.ts';

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: string;
  readonly expiresAt: string;
}

interface InvitationRow extends Record<string, unknown> {
  id: string;
  email: string;
  role: Role;
  created_at: Date;
  expires_at: Date;
}

/** Open invitations: neither accepted nor expired. */
export async function listInvitations(
  db: Queryable,
  clock: Clock,
  { organizationId }: Membership,
  page: PageRequest,
): Promise<{ invitations: Invitation[]; cursor?: string }> {
  const found = await db.query<InvitationRow>(
    `select id, email, role, created_at, expires_at from :schema.invitation
      where organization_id = $1 and id > $2 and accepted_at is null and expires_at > $3 order by id limit $4`,
    [organizationId, readIdCursor(page.cursor, 'inv'), clock(), rowsToRead(page)],
  );
  const { rows, ...more } = cutPage(found.rows, page, (row) => row.id);
  return {
    invitations: rows.map(present),
    ...more,
  };
}

function present({ id, email, role, created_at: createdAt, expires_at: expiresAt }: InvitationRow): Invitation {
  return { id, email, role, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
}

/** Throws `not_found` for one that is not open. */
export async function getOpenInvitation(
  db: Queryable,
  clock: Clock,
  organizationId: string,
  id: string,
): Promise<Invitation> {
  const { rows } = await db.query<InvitationRow>(
    `select id, email, role, created_at, expires_at from :schema.invitation
      where id = $1 and organization_id = $2 and accepted_at is null and expires_at > $3`,
    [id, organizationId, clock()],
  );
  const [row] = rows;
  if (!row) throw new AppError('not_found');
  return present(row);
}

export async function revokeInvitation(db: Queryable, { organizationId }: Membership, id: string): Promise<void> {
  const { rowCount } = await db.query(
    'delete from :schema.invitation where id = $1 and organization_id = $2 and accepted_at is null',
    [id, organizationId],
  );
  if (rowCount === 0) throw new AppError('not_found');
}
