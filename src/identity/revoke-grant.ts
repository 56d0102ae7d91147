import type { OAuthDeps } from './oauth-deps.ts';

interface Revoked extends Record<string, unknown> {
  token_id: string | null;
}

/** Ends a grant with everything that came of it. Answers whether there was one to end. */
export async function revokeGrant(deps: Pick<OAuthDeps, 'db' | 'clock' | 'revokeToken'>, grantId: string, ownedBy?: string): Promise<boolean> {
  const { rows } = await deps.db.query<Revoked>(
    `update :schema.oauth_grant set revoked_at = $2
      where id = $1 and revoked_at is null and ($3::text is null or user_id = $3)
      returning token_id`,
    [grantId, deps.clock(), ownedBy ?? null],
  );
  const [revoked] = rows;
  if (revoked?.token_id) await deps.revokeToken(revoked.token_id);
  return revoked !== undefined;
}
