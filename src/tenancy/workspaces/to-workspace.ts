import type { Workspace } from '../../contract/workspaces.ts';
import { hasMutationAuthority } from '../authority.ts';
import type { Membership } from '../members/membership.ts';

/** A workspace as the person with this membership sees it. */
export function toWorkspace(membership: Membership): Workspace {
  return {
    id: membership.workspaceId,
    organization: membership.organizationId,
    slug: membership.workspaceSlug,
    name: membership.workspaceName,
    kind: membership.workspaceKind,
    ...(membership.workspaceRole === undefined ? {} : { role: membership.workspaceRole }),
    canManage: hasMutationAuthority(membership),
    createdAt: membership.workspaceCreatedAt.toISOString(),
  };
}
