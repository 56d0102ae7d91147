import type { Workspace } from '../contract/workspaces.ts';
import { hasMutationAuthority } from './authority.ts';
import type { Standing } from './standing.ts';

/** A workspace as the person with this standing sees it. */
export function toWorkspace(standing: Standing): Workspace {
  return {
    id: standing.workspaceId,
    organization: standing.organizationId,
    slug: standing.workspaceSlug,
    name: standing.workspaceName,
    kind: standing.workspaceKind,
    ...(standing.workspaceRole === undefined ? {} : { role: standing.workspaceRole }),
    canManage: hasMutationAuthority(standing),
    createdAt: standing.workspaceCreatedAt.toISOString(),
  };
}
