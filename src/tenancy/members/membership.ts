import type { Role } from '../../contract/common.ts';

export type Plan = 'free' | 'team' | 'business';
export type WorkspaceKind = 'global' | 'default' | 'named';

/**
 * One person's membership in an organization and one of its workspaces. It exists only for members of the organization;
 * every decision about who may do what is a pure function of it (authority.ts).
 */
export interface Membership {
  readonly userId: string;
  readonly organizationId: string;
  readonly organizationSlug: string;
  readonly organizationName: string;
  readonly organizationRole: Role;
  readonly plan: Plan;
  readonly workspaceId: string;
  readonly workspaceSlug: string;
  readonly workspaceName: string;
  readonly workspaceKind: WorkspaceKind;
  readonly workspaceCreatedAt: Date;
  /** In Global and Default it follows the organization role; undefined for anyone who is not in the workspace. */
  readonly workspaceRole: Role | undefined;
  readonly isWorkspaceMember: boolean;
}
