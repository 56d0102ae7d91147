// Redeems an authorization code, once. A second use means that two parties have it, so the grant is revoked with every
// token issued from it (OAuth 2.1, 4.1.2). A wrong client, redirect or verifier uses up the code as well.
import { type GrantRow, issueTokens, toGrant } from './issue-tokens.ts';
import type { OAuthDeps, TokenAnswer } from './oauth-deps.ts';
import { OAuthError } from './oauth-error.ts';
import { hashSecret } from '../opaque-secret.ts';
import { verifiesChallenge } from './pkce.ts';
import { revokeGrant } from './revoke-grant.ts';

export interface CodeExchange {
  readonly code: string;
  readonly clientId: string;
  readonly codeVerifier: string;
  /** OAuth 2.1 no longer sends it; if sent, it must be the one the code was issued for. */
  readonly redirectUri?: string | undefined;
}

interface CodeRow extends GrantRow {
  redirect_uri: string;
  code_challenge: string;
  live: boolean;
}

export async function exchangeCode(deps: OAuthDeps, exchange: CodeExchange): Promise<TokenAnswer> {
  const hash = hashSecret(exchange.code);
  const { rows } = await deps.db.query<CodeRow>(
    `update :schema.oauth_code c set used_at = $2
       from :schema.oauth_grant g
      where c.hash = $1 and c.used_at is null and g.id = c.grant_id
      returning c.redirect_uri, c.code_challenge, c.client_id, c.expires_at > $2 and g.revoked_at is null as live,
                g.id as grant_id, g.user_id, g.organization_id, g.workspace_id, g.scopes, g.offline`,
    [hash, deps.clock()],
  );
  const row = rows[0];
  if (!row) {
    await endGrantOfSpentCode(deps, hash);
    throw refusal();
  }
  const redirectMatches = exchange.redirectUri === undefined || exchange.redirectUri === row.redirect_uri;
  if (
    !row.live ||
    row.client_id !== exchange.clientId ||
    !redirectMatches ||
    !verifiesChallenge(exchange.codeVerifier, row.code_challenge)
  ) {
    await revokeGrant(deps, row.grant_id);
    throw refusal();
  }
  return issueTokens(deps, toGrant(row));
}

async function endGrantOfSpentCode(deps: OAuthDeps, hash: Buffer): Promise<void> {
  const { rows } = await deps.db.query<{ grant_id: string }>(
    'select grant_id from :schema.oauth_code where hash = $1',
    [hash],
  );
  if (rows[0]) await revokeGrant(deps, rows[0].grant_id);
}

function refusal(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'The code is unknown, expired or already used, or does not belong to this client, redirect URI and verifier.',
  );
}
