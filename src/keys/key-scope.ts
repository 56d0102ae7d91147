// A key belongs to a workspace. The organization-wide scope is the organization's hidden Global workspace, which
// callers name `global`.
import { AppError } from '../base/errors.ts';
import { hasMutationAuthority, requireSettings } from '../tenancy/authority.ts';
import type { MembershipLookup } from '../tenancy/members/find-membership.ts';
import type { Membership } from '../tenancy/members/membership.ts';

export interface NamedScope {
  readonly organization: string | undefined;
  readonly workspace: string | undefined;
}

/** Where to look up the scope. */
export function getKeyPlace({ organization, workspace }: NamedScope): Omit<MembershipLookup, 'userId'> {
  if (!workspace) throw new AppError('workspace_required');
  if (workspace === 'global' && !organization)
    throw new AppError('invalid_request', { organization: 'is required when workspace is global' });
  return { organizationId: organization, workspaceId: workspace };
}

export function requireKeyAuthority(scope: Membership): void {
  if (scope.workspaceKind === 'global') requireSettings(scope, 'API keys');
  else if (!hasMutationAuthority(scope)) throw new AppError('provider_key_refused');
}
