import type { Role } from '../../contract/common.ts';
import type { Workspace } from '../../contract/workspaces.ts';
import type { Queryable } from '../../store/database.ts';
import { managesOrganization } from '../authority.ts';
import { cutPage, type PageRequest, readIdCursor, rowsToRead } from '../paging.ts';
import type { Membership, WorkspaceKind } from '../members/membership.ts';
import { toWorkspace } from './to-workspace.ts';

interface WorkspaceRow extends Record<string, unknown> {
  id: string;
  slug: string;
  name: string;
  kind: WorkspaceKind;
  created_at: Date;
  role: Role | null;
}

/**
 * Default and the named workspaces that this person can see (`seesWorkspace` in authority.ts); Global is never listed.
 */
export async function listWorkspaces(
  db: Queryable,
  membership: Membership,
  page: PageRequest,
): Promise<{ workspaces: Workspace[]; cursor?: string }> {
  const found = await db.query<WorkspaceRow>(
    `select w.workspace_id as id, w.slug, w.name, w.kind, w.created_at, w.role
       from :schema.member_workspace w
      where w.organization_id = $1 and w.user_id = $2 and w.kind <> 'global' and w.workspace_id > $4
        and ($3::boolean or w.is_member)
      order by w.workspace_id limit $5`,
    [
      membership.organizationId,
      membership.userId,
      managesOrganization(membership),
      readIdCursor(page.cursor, 'ws'),
      rowsToRead(page),
    ],
  );
  const { rows, ...more } = cutPage(found.rows, page, (row) => row.id);
  return { workspaces: rows.map((row) => toWorkspace(membershipIn(membership, row))), ...more };
}

function membershipIn(membership: Membership, row: WorkspaceRow): Membership {
  return {
    ...membership,
    workspaceId: row.id,
    workspaceSlug: row.slug,
    workspaceName: row.name,
    workspaceKind: row.kind,
    workspaceCreatedAt: row.created_at,
    workspaceRole: row.role ?? undefined,
    isWorkspaceMember: row.role !== null,
  };
}
