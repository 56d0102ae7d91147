// Who may do what, decided only from a Standing.
import type { Role } from '../contract/common.ts';
import { AppError } from '../base/errors.ts';
import type { Membership } from './members/membership.ts';

const MANAGES = { owner: true, admin: true, member: false } as const satisfies Record<Role, boolean>;

/** Areas of the organization settings, as named in the refusal. */
export type SettingsArea =
  | 'general settings'
  | 'guardrails'
  | 'policies'
  | 'models'
  | 'members'
  | 'tools'
  | 'compliance'
  | 'plan'
  | 'feedback'
  | 'API keys';

export function managesOrganization(membership: Pick<Membership, 'organizationRole'>): boolean {
  return MANAGES[membership.organizationRole];
}

/** Over a workspace: its owner or admin, otherwise the organization's owner or admin. */
export function hasMutationAuthority(membership: Pick<Membership, 'organizationRole' | 'workspaceRole'>): boolean {
  return (
    (membership.workspaceRole !== undefined && MANAGES[membership.workspaceRole]) || managesOrganization(membership)
  );
}

/**
 * A named workspace is visible to its members and to the organization's owners and admins; to others it does not exist.
 */
export function seesWorkspace(membership: Pick<Membership, 'organizationRole' | 'isWorkspaceMember'>): boolean {
  return membership.isWorkspaceMember || managesOrganization(membership);
}

export function requireSettings(membership: Membership, area: SettingsArea): void {
  if (!managesOrganization(membership)) throw new AppError('settings_refused', { area });
}

export function requireMutationAuthority(membership: Membership): void {
  if (!hasMutationAuthority(membership)) throw new AppError('workspace_authority_required');
}

export function requireWorkspaceMember(membership: Membership): void {
  if (!membership.isWorkspaceMember) throw new AppError('workspace_membership_required');
}

export function requireOwner(membership: Pick<Membership, 'organizationRole'>): void {
  if (membership.organizationRole !== 'owner') throw new AppError('owner_required');
}

/** Only owners may grant or take away the owner role. */
export function requireOwnerFor(membership: Membership, ...roles: (Role | undefined)[]): void {
  if (roles.includes('owner')) requireOwner(membership);
}
