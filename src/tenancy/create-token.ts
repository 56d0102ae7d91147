import { AppError } from '../base/errors.ts';
import type { Scope } from '../contract/tokens.ts';
import { getStanding } from './get-standing.ts';
import { type MintDeps, type MintedToken, mintToken, type TokenGrant } from './mint-token.ts';
import { lifetimeSeconds } from './token-lifetime.ts';

export interface TokenRequest {
  readonly name?: string | undefined;
  readonly organization: string;
  readonly workspace?: string | undefined;
  readonly scopes: readonly Scope[];
  readonly expiresIn?: number | string | undefined;
}

/** `sessionId` is of the session that asks: its unnamed tokens are noted, so that ending access ends them too. */
export async function createToken(
  deps: MintDeps,
  userId: string,
  request: TokenRequest,
  sessionId?: string,
): Promise<MintedToken> {
  const minted = await mintMemberToken(deps, {
    userId,
    organizationId: request.organization,
    workspaceId: request.workspace,
    scopes: request.scopes,
    lifetimeSeconds: lifetimeSeconds(request.expiresIn, request.name !== undefined),
    name: request.name,
  });
  if (request.name === undefined && sessionId !== undefined)
    await noteShortToken(deps, { id: minted.id, userId, sessionId, expiresAt: minted.expiresAt });
  return minted;
}

async function noteShortToken(
  { db, clock }: MintDeps,
  token: { id: string; userId: string; sessionId: string; expiresAt: Date },
): Promise<void> {
  await db.query(
    `with forgotten as (delete from :schema.connect_token_short where expires_at < $5)
     insert into :schema.connect_token_short (id, user_id, session_id, expires_at) values ($1, $2, $3, $4)`,
    [token.id, token.userId, token.sessionId, token.expiresAt, clock()],
  );
}

/** A member may have a token for their organization, or for one workspace of it that they are in. Ids or slugs. */
export async function mintMemberToken(deps: MintDeps, grant: TokenGrant): Promise<MintedToken> {
  const { organizationId, workspaceId, isWorkspaceMember } = await getStanding(deps.db, grant);
  if (!isWorkspaceMember) throw new AppError('workspace_membership_required');
  return mintToken(deps, {
    ...grant,
    organizationId,
    workspaceId: grant.workspaceId === undefined ? undefined : workspaceId,
  });
}
