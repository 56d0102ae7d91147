// Who may do what, decided only from a Standing.
import type { Role } from '../contract/common.ts';
import { AppError } from '../base/errors.ts';
import type { Standing } from './standing.ts';

const MANAGES = { owner: true, admin: true, member: false } as const satisfies Record<Role, boolean>;

/** Areas of the organization settings, as named in the refusal. */
export type SettingsArea =
  | 'guardrails'
  | 'policies'
  | 'models'
  | 'members'
  | 'tools'
  | 'compliance'
  | 'plan'
  | 'API keys';

export function managesOrganization(standing: Pick<Standing, 'organizationRole'>): boolean {
  return MANAGES[standing.organizationRole];
}

/** Over a workspace: its owner or admin, otherwise the organization's owner or admin. */
export function hasMutationAuthority(standing: Pick<Standing, 'organizationRole' | 'workspaceRole'>): boolean {
  return (standing.workspaceRole !== undefined && MANAGES[standing.workspaceRole]) || managesOrganization(standing);
}

/**
 * A named workspace is visible to its members and to the organization's owners and admins; to others it does not exist.
 */
export function seesWorkspace(standing: Pick<Standing, 'organizationRole' | 'isWorkspaceMember'>): boolean {
  return standing.isWorkspaceMember || managesOrganization(standing);
}

export function requireSettings(standing: Standing, area: SettingsArea): void {
  if (!managesOrganization(standing)) throw new AppError('settings_refused', { area });
}

export function requireMutationAuthority(standing: Standing): void {
  if (!hasMutationAuthority(standing)) throw new AppError('workspace_authority_required');
}

export function requireWorkspaceMember(standing: Standing): void {
  if (!standing.isWorkspaceMember) throw new AppError('workspace_membership_required');
}

/** Only owners may grant or take away the owner role. */
export function requireOwnerFor(standing: Standing, ...roles: (Role | undefined)[]): void {
  if (roles.includes('owner') && standing.organizationRole !== 'owner') throw new AppError('owner_required');
}
