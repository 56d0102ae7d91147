// Token revocation (RFC 7009): revoking either token of a grant revokes the grant. An unknown token is not an error.
import type { OAuthDeps } from './oauth-deps.ts';
import { hashSecret } from '../opaque-secret.ts';
import { revokeGrant } from './revoke-grant.ts';

export interface Revocation {
  /** The refresh token; undefined if a connect token was presented. */
  readonly refreshToken?: string;
  /** The id of a connect token with a valid signature. */
  readonly tokenId?: string;
  readonly clientId: string;
}

export async function revokeToken(deps: OAuthDeps, { refreshToken, tokenId, clientId }: Revocation): Promise<void> {
  const { rows } =
    tokenId === undefined
      ? await deps.db.query<{ id: string }>(
          'select grant_id as id from :schema.oauth_refresh_token where hash = $1 and client_id = $2',
          [hashSecret(refreshToken ?? ''), clientId],
        )
      : await deps.db.query<{ id: string }>(
          'select g.id from :schema.oauth_access_token t join :schema.oauth_grant g on g.id = t.grant_id where t.token_id = $1 and g.client_id = $2',
          [tokenId, clientId],
        );
  if (rows[0]) await revokeGrant(deps, rows[0].id);
}
