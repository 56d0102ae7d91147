import type { Queryable, Transaction } from '../../store/database.ts';
import type { OAuthDeps } from './oauth-deps.ts';

type Deps = Pick<OAuthDeps, 'clock' | 'revokeToken'>;

/** Revokes a grant and everything issued from it. Returns whether there was one. */
export function revokeGrant(deps: Deps & Pick<OAuthDeps, 'db'>, grantId: string, ownedBy?: string): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      `update :schema.oauth_grant set revoked_at = $2
        where id = $1 and revoked_at is null and ($3::text is null or user_id = $3)
        returning id`,
      [grantId, deps.clock(), ownedBy ?? null],
    );
    await revokeTokensOf(tx, deps, rows);
    return rows.length > 0;
  });
}

/** Revokes every grant of a person, or those for one organization, in the transaction of the change that causes it. */
export async function revokeGrantsOf(
  tx: Transaction,
  deps: Deps,
  userId: string,
  organizationId?: string,
): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(
    `update :schema.oauth_grant set revoked_at = $2
      where user_id = $1 and revoked_at is null and ($3::text is null or organization_id = $3) returning id`,
    [userId, deps.clock(), organizationId ?? null],
  );
  await revokeTokensOf(tx, deps, rows);
}

/** Runs after the grants are locked, so it sees every token issued before, and none can be issued later. */
async function revokeTokensOf(tx: Queryable, deps: Deps, grants: readonly { id: string }[]): Promise<void> {
  if (grants.length === 0) return;
  const { rows } = await tx.query<{ token_id: string }>(
    'select token_id from :schema.oauth_access_token where grant_id = any($1) and expires_at > $2',
    [grants.map(({ id }) => id), deps.clock()],
  );
  for (const { token_id: tokenId } of rows) await deps.revokeToken(tx, tokenId);
}
