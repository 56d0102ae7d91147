import { AppError } from '../../base/errors.ts';
import type { Scope } from '../../contract/tokens.ts';
import { requireWorkspaceMember } from '../authority.ts';
import { getMembership } from '../members/get-membership.ts';
import { type MintDeps, type MintedToken, mintToken, type TokenGrant } from './mint-token.ts';
import type { Membership } from '../members/membership.ts';
import { lifetimeSeconds } from './token-lifetime.ts';

export interface TokenRequest {
  readonly name?: string | undefined;
  /** Restricts the token to this workspace. */
  readonly workspace?: string | undefined;
  readonly scopes: readonly Scope[];
  readonly expiresIn?: number | string | undefined;
  /** Only for a named token. */
  readonly models?: readonly string[] | undefined;
}

/**
 * For the organization, or the named workspace, of an authorized membership. `sessionId` is the caller's session: its
 * unnamed tokens are recorded, so that ending access ends them too.
 */
export async function createToken(
  deps: MintDeps,
  { userId, organizationId, workspaceId }: Membership,
  request: TokenRequest,
  sessionId?: string,
): Promise<MintedToken> {
  if (request.name === undefined && request.models !== undefined)
    throw new AppError('invalid_request', { models: 'only a named token can be restricted to models' });
  const minted = await mintToken(deps, {
    userId,
    organizationId,
    workspaceId: request.workspace === undefined ? undefined : workspaceId,
    scopes: request.scopes,
    lifetimeSeconds: lifetimeSeconds(request.expiresIn, request.name !== undefined),
    name: request.name,
    models: request.models,
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

/**
 * A member may have a token for their organization, or for one of its workspaces that they are a member of. Ids or
 * slugs.
 */
export async function mintMemberToken(deps: MintDeps, grant: TokenGrant): Promise<MintedToken> {
  const membership = await getMembership(deps.db, grant);
  requireWorkspaceMember(membership);
  const { organizationId, workspaceId } = membership;
  return mintToken(deps, {
    ...grant,
    organizationId,
    workspaceId: grant.workspaceId === undefined ? undefined : workspaceId,
  });
}
