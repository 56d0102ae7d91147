// The last step of every exchange: a connect token and, if requested, a refresh token. The grant is checked last, in
// the statement that records the token: if it was revoked in the meantime, so is the token. The grant of a token is
// recorded while the token lives, because runs that it starts end with the grant.
import { AppError } from '../../base/errors.ts';
import type { Scope } from '../../contract/tokens.ts';
import type { OAuthDeps, TokenAnswer } from './oauth-deps.ts';
import { OAuthError } from './oauth-error.ts';
import { newSecret } from '../opaque-secret.ts';
import { revokeGrant } from './revoke-grant.ts';

const ACCESS_SECONDS = 3_600;
const REFRESH_MS = 30 * 86_400_000;

export interface Grant {
  readonly id: string;
  readonly userId: string;
  readonly clientId: string;
  readonly organizationId: string;
  readonly workspaceId: string | undefined;
  readonly scopes: readonly Scope[];
  readonly offline: boolean;
}

export interface GrantRow extends Record<string, unknown> {
  grant_id: string;
  user_id: string;
  client_id: string;
  organization_id: string;
  workspace_id: string | null;
  scopes: Scope[];
  offline: boolean;
}

export function toGrant(row: GrantRow): Grant {
  return {
    id: row.grant_id,
    userId: row.user_id,
    clientId: row.client_id,
    organizationId: row.organization_id,
    workspaceId: row.workspace_id ?? undefined,
    scopes: row.scopes,
    offline: row.offline,
  };
}

export async function issueTokens(
  deps: OAuthDeps,
  grant: Grant,
  scopes: readonly Scope[] = grant.scopes,
): Promise<TokenAnswer> {
  const minted = await mint(deps, grant, scopes);
  const refresh = grant.offline ? newSecret() : undefined;
  const now = deps.clock();
  const { rowCount } = await deps.db.query(
    `with live as (
       update :schema.oauth_grant set used_at = $3 where id = $1 and revoked_at is null returning id
     ), access as (
       insert into :schema.oauth_access_token (token_id, grant_id, expires_at) select $2, id, $7 from live
     ), refresh as (
       insert into :schema.oauth_refresh_token (hash, grant_id, client_id, created_at, expires_at)
       select $4::bytea, id, $5, $3, $6 from live where $4::bytea is not null
     )
     select id from live`,
    [
      grant.id,
      minted.id,
      now,
      refresh?.hash ?? null,
      grant.clientId,
      new Date(now.getTime() + REFRESH_MS),
      minted.expiresAt,
    ],
  );
  if (rowCount === 0) {
    await deps.revokeToken(deps.db, minted.id);
    throw new OAuthError('invalid_grant', 'The grant was revoked.');
  }
  return {
    accessToken: minted.token,
    expiresAt: minted.expiresAt,
    scopes,
    ...(refresh ? { refreshToken: refresh.secret } : {}),
  };
}

async function mint(
  deps: OAuthDeps,
  grant: Grant,
  scopes: readonly Scope[],
): Promise<Awaited<ReturnType<OAuthDeps['mintToken']>>> {
  try {
    return await deps.mintToken({
      userId: grant.userId,
      organizationId: grant.organizationId,
      ...(grant.workspaceId === undefined ? {} : { workspaceId: grant.workspaceId }),
      scopes,
      lifetimeSeconds: ACCESS_SECONDS,
    });
  } catch (error) {
    // A refusal means that the membership has ended for good; any other error says nothing about the grant.
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    await revokeGrant(deps, grant.id);
    throw new OAuthError('invalid_grant', 'The person who approved this is no longer a member.');
  }
}
