// One query finds a person's membership. Organization and workspace are predicates of the same statement, so an id from
// another organization resolves to nothing, exactly like an id that never existed.
import type { Role } from '../../contract/common.ts';
import type { Queryable } from '../../store/database.ts';
import type { Plan, Membership, WorkspaceKind } from './membership.ts';

export interface MembershipLookup {
  readonly userId: string;
  /** The organization's id or slug. Optional when `workspaceId` is an id. */
  readonly organizationId?: string | undefined;
  /** The workspace's id or, together with an organization, its slug. Defaults to Default. */
  readonly workspaceId?: string | undefined;
}

export interface MembershipRow extends Record<string, unknown> {
  organization_id: string;
  organization_slug: string;
  organization_name: string;
  organization_role: Role;
  plan: Plan;
  workspace_id: string;
  workspace_slug: string;
  workspace_name: string;
  workspace_kind: WorkspaceKind;
  workspace_created_at: Date;
  workspace_role: Role | null;
}

const MEMBERSHIP = `
  select o.id as organization_id, o.slug as organization_slug, o.name as organization_name, o.plan,
         w.organization_role,
         w.workspace_id, w.slug as workspace_slug, w.name as workspace_name, w.kind as workspace_kind,
         w.created_at as workspace_created_at, w.role as workspace_role
    from :schema.member_workspace w
    join :schema.organization o on o.id = w.organization_id and w.user_id = $1`;

const BY_ID = `${MEMBERSHIP} where w.workspace_id = $2`;

/**
 * The statement for user $1, organization $2 and workspace $3, the latter two by id or slug. Ids contain an underscore
 * and slugs do not (table constraints ensure it), so each is found through its own index.
 */
export function membershipIn(organization: string, workspace: string): string {
  return `${MEMBERSHIP} where ${isId(organization) ? 'o.id' : 'o.slug'} = $2 and ${isId(workspace) ? 'w.workspace_id' : 'w.slug'} = $3`;
}

const isId = (text: string): boolean => text.includes('_');

/**
 * Undefined for anyone who is not a member of the organization, and for a workspace that is not in it: both are
 * answered with 404 `not_found`. A member of the organization who is not in a named workspace has a membership with
 * `isWorkspaceMember` false; authority.ts says what follows from that.
 */
export async function findMembership(
  db: Queryable,
  { userId, organizationId, workspaceId }: MembershipLookup,
): Promise<Membership | undefined> {
  if (organizationId === undefined && workspaceId === undefined) return undefined;
  const workspace = workspaceId ?? 'default';
  const { rows } =
    organizationId === undefined
      ? await db.query<MembershipRow>(BY_ID, [userId, workspace])
      : await db.query<MembershipRow>(membershipIn(organizationId, workspace), [userId, organizationId, workspace]);
  return rows[0] && toMembership(userId, rows[0]);
}

export function toMembership(userId: string, row: MembershipRow): Membership {
  return {
    userId,
    organizationId: row.organization_id,
    organizationSlug: row.organization_slug,
    organizationName: row.organization_name,
    organizationRole: row.organization_role,
    plan: row.plan,
    workspaceId: row.workspace_id,
    workspaceSlug: row.workspace_slug,
    workspaceName: row.workspace_name,
    workspaceKind: row.workspace_kind,
    workspaceCreatedAt: row.workspace_created_at,
    workspaceRole: row.workspace_role ?? undefined,
    isWorkspaceMember: row.workspace_role !== null,
  };
}
