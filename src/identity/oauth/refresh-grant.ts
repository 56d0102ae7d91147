// Redeems a refresh token for a connect token and the next refresh token. Each can be used once: a second use means
// that it was stolen or that a response got lost, and the two cannot be told apart, so the whole grant is revoked.
import type { Scope } from '../../contract/tokens.ts';
import { type GrantRow, issueTokens, toGrant } from './issue-tokens.ts';
import type { OAuthDeps, TokenAnswer } from './oauth-deps.ts';
import { OAuthError } from './oauth-error.ts';
import { narrowScopes } from './oauth-scopes.ts';
import { hashSecret } from '../opaque-secret.ts';
import { revokeGrant } from './revoke-grant.ts';

export interface Refresh {
  readonly refreshToken: string;
  readonly clientId: string;
  /** A subset of the granted scopes, if the client wants less. */
  readonly scope?: string | undefined;
}

interface RefreshRow extends GrantRow {
  spent: boolean;
  live: boolean;
}

export async function refreshGrant(deps: OAuthDeps, refresh: Refresh): Promise<TokenAnswer> {
  const hash = hashSecret(refresh.refreshToken);
  const now = deps.clock();
  const { rows } = await deps.db.query<RefreshRow>(
    `select r.used_at is not null as spent, r.expires_at > $2 and g.revoked_at is null as live, r.client_id,
            g.id as grant_id, g.user_id, g.organization_id, g.workspace_id, g.scopes, g.offline
       from :schema.oauth_refresh_token r join :schema.oauth_grant g on g.id = r.grant_id
      where r.hash = $1`,
    [hash, now],
  );
  const row = rows[0];
  if (!row || row.client_id !== refresh.clientId || (!row.live && !row.spent)) throw refusal();
  const scopes = wantedScopes(row.scopes, refresh.scope);
  const spent =
    row.spent ||
    (
      await deps.db.query('update :schema.oauth_refresh_token set used_at = $2 where hash = $1 and used_at is null', [
        hash,
        now,
      ])
    ).rowCount === 0;
  if (spent) {
    await revokeGrant(deps, row.grant_id);
    throw refusal();
  }
  return issueTokens(deps, toGrant(row), scopes);
}

function wantedScopes(granted: readonly Scope[], asked: string | undefined): readonly Scope[] {
  const words = (asked ?? '').split(' ').filter((word) => word !== '' && word !== 'offline_access');
  if (words.length === 0) return granted;
  const narrowed = narrowScopes(granted, words);
  if (!narrowed) throw new OAuthError('invalid_scope', 'A refresh cannot ask for more than was granted.');
  return narrowed;
}

function refusal(): OAuthError {
  return new OAuthError('invalid_grant', 'The refresh token is unknown, expired, revoked or already used.');
}
