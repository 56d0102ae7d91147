// What someone may see of an organization: one statement reads whether they are a member, and which of its workspaces
// they are in or, as an owner or admin, can see.
import type { Role } from '../../contract/common.ts';
import type { Queryable } from '../../store/database.ts';
import { managesOrganization } from '../authority.ts';

export interface Viewer {
  readonly userId: string;
  readonly organizationId: string;
  readonly role: Role;
  /** The workspaces that they can see. */
  readonly sees: ReadonlySet<string>;
  /** Those that they are a member of: only these show their runs, receipts and connections. */
  readonly isIn: ReadonlySet<string>;
}

interface ViewerRow extends Record<string, unknown> {
  organization_id: string;
  role: Role;
  workspace_id: string;
  is_in: boolean;
}

const viewerOf = (column: 'id' | 'slug'): string => `
  select o.id as organization_id, w.organization_role as role, w.workspace_id, w.is_member as is_in
    from :schema.organization o
    join :schema.member_workspace w on w.organization_id = o.id and w.user_id = $1
   where o.${column} = $2`;

/**
 * Undefined for anyone who is not a member. The organization is named by its id, which contains an underscore, or its
 * slug.
 */
export async function findViewer(
  db: Queryable,
  { userId, organization }: { userId: string; organization: string },
): Promise<Viewer | undefined> {
  const { rows } = await db.query<ViewerRow>(viewerOf(organization.includes('_') ? 'id' : 'slug'), [
    userId,
    organization,
  ]);
  const [first] = rows;
  if (!first) return undefined;
  const isIn = rows.filter((row) => row.is_in).map((row) => row.workspace_id);
  const sees = managesOrganization({ organizationRole: first.role }) ? rows.map((row) => row.workspace_id) : isIn;
  return { userId, organizationId: first.organization_id, role: first.role, sees: new Set(sees), isIn: new Set(isIn) };
}

const ORGANIZATIONS = 'select id, organization_id from :schema.workspace where id = any($1)';

/** The organization of each workspace. */
export async function findOrganizationsOf(
  db: Queryable,
  workspaceIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ id: string; organization_id: string }>(ORGANIZATIONS, [workspaceIds]);
  return new Map(rows.map((row) => [row.id, row.organization_id]));
}
