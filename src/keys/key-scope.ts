// The scope that a key belongs to is a workspace; the organization-wide one is the organization's hidden Global
// workspace, which callers name `global`.
import { AppError } from '../base/errors.ts';
import type { Queryable } from '../store/database.ts';
import { hasMutationAuthority, requireSettings } from '../tenancy/authority.ts';
import { getStanding } from '../tenancy/get-standing.ts';
import type { Standing } from '../tenancy/standing.ts';

export interface KeyPlace {
  readonly userId: string;
  readonly organization?: string | null | undefined;
  readonly workspace?: string | null | undefined;
}

/** What is not in one of the caller's organizations, or hides itself from them, is `not_found`. */
export async function getKeyScope(db: Queryable, { userId, organization, workspace }: KeyPlace): Promise<Standing> {
  if (!workspace) throw new AppError('workspace_required');
  if (workspace === 'global' && !organization)
    throw new AppError('invalid_request', { organization: 'is required when workspace is global' });
  return getStanding(db, { userId, organizationId: organization || undefined, workspaceId: workspace });
}

export function requireKeyAuthority(scope: Standing): void {
  if (scope.workspaceKind === 'global') requireSettings(scope, 'API keys');
  else if (!hasMutationAuthority(scope)) throw new AppError('provider_key_refused');
}
