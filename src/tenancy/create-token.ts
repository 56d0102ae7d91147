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

export function createToken(deps: MintDeps, userId: string, request: TokenRequest): Promise<MintedToken> {
  return mintMemberToken(deps, {
    userId,
    organizationId: request.organization,
    workspaceId: request.workspace,
    scopes: request.scopes,
    lifetimeSeconds: lifetimeSeconds(request.expiresIn, request.name !== undefined),
    name: request.name,
  });
}

/** A member may have a token for their organization, or for one workspace of it that they are in. Ids or slugs. */
export async function mintMemberToken(deps: MintDeps, grant: TokenGrant): Promise<MintedToken> {
  const { organizationId, workspaceId, isWorkspaceMember } = await getStanding(deps.db, grant);
  if (!isWorkspaceMember) throw new AppError('workspace_membership_required');
  return mintToken(deps, { ...grant, organizationId, workspaceId: grant.workspaceId === undefined ? undefined : workspaceId });
}
