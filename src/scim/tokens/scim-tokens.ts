// The tokens by which an identity provider is let into one organization. There are at most two, so that one can be replaced
// without a gap: make the second, give it to the identity provider, revoke the first.
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { digestSecret } from '../../identity/secret-digests.ts';
import type { Database, Queryable } from '../../store/database.ts';
import type { Membership } from '../../tenancy/members/membership.ts';
import { withLockedMembership } from '../../tenancy/members/get-membership.ts';
import { requireOwner } from '../../tenancy/authority.ts';

export const MOST_TOKENS = 2;

export interface ListedScimToken {
  readonly id: string;
  readonly createdAt: string;
  /** The name of the owner who made it, while they have an account. */
  readonly createdBy?: string;
  readonly lastUsedAt?: string;
}

export async function listScimTokens(db: Queryable, organizationId: string): Promise<ListedScimToken[]> {
  const { rows } = await db.query<{ id: string; created_at: Date; name: string | null; used_at: Date | null }>(
    `select t.id, t.created_at, t.used_at, u.name from :schema.scim_token t
       left join :schema.identity_user u on u.id = t.created_by where t.organization_id = $1 order by t.id`,
    [organizationId],
  );
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at.toISOString(),
    ...(row.name === null ? {} : { createdBy: row.name }),
    ...(row.used_at === null ? {} : { lastUsedAt: row.used_at.toISOString() }),
  }));
}

/** The token is returned here and nowhere else. Throws `too_many_scim_tokens`. */
export function makeScimToken(
  db: Database,
  clock: Clock,
  { userId, organizationId }: Membership,
): Promise<{ id: string; token: string }> {
  return withLockedMembership(db, { userId, organizationId }, async (tx, membership) => {
    requireOwner(membership);
    if ((await listScimTokens(tx, organizationId)).length >= MOST_TOKENS)
      throw new AppError('too_many_scim_tokens', { most: MOST_TOKENS });
    const [id, token] = [newId('sct'), `scim_${randomBytes(32).toString('base64url')}`];
    await tx.query(
      'insert into :schema.scim_token (id, organization_id, digest, created_by, created_at) values ($1, $2, $3, $4, $5)',
      [id, organizationId, digestSecret(token), userId, clock()],
    );
    return { id, token };
  });
}

/** Throws `not_found`. */
export function revokeScimToken(db: Database, { userId, organizationId }: Membership, tokenId: string): Promise<void> {
  return withLockedMembership(db, { userId, organizationId }, async (tx, membership) => {
    requireOwner(membership);
    const { rowCount } = await tx.query('delete from :schema.scim_token where id = $1 and organization_id = $2', [
      tokenId,
      organizationId,
    ]);
    if (rowCount === 0) throw new AppError('not_found');
  });
}
