import type { Queryable, Transaction } from '../store/database.ts';
import { hasMutationAuthority } from '../tenancy/authority.ts';
import { findMembership } from '../tenancy/members/find-membership.ts';
import type { WorkspaceRef } from '../tenancy/workspaces/workspace-ref.ts';

/** What the tags of a provider's connection say. */
export interface ClaimedOwner {
  readonly organizationId: string;
  /** An id, or `default` or `global`. */
  readonly workspaceId: string;
  readonly actorId: string | undefined;
}

export interface OwningWorkspace {
  readonly ref: WorkspaceRef;
  /** Whether the actor has mutation authority over the workspace. */
  readonly hasAuthority: boolean;
}

/**
 * The workspace that a provider's connection belongs to, if it exists and the actor is currently a member. A connection
 * without an actor was created by the operator, since no one else can tag connections at the provider.
 */
export async function findOwningWorkspace(
  db: Queryable,
  { organizationId, workspaceId, actorId }: ClaimedOwner,
): Promise<OwningWorkspace | undefined> {
  if (actorId !== undefined) {
    const membership = await findMembership(db, { userId: actorId, organizationId, workspaceId });
    return membership?.isWorkspaceMember
      ? {
          ref: { organizationId: membership.organizationId, workspaceId: membership.workspaceId },
          hasAuthority: hasMutationAuthority(membership),
        }
      : undefined;
  }
  const { rows } = await db.query<{ id: string }>(
    'select id from :schema.workspace where organization_id = $1 and (id = $2 or slug = $2)',
    [organizationId, workspaceId],
  );
  return rows[0] && { ref: { organizationId, workspaceId: rows[0].id }, hasAuthority: true };
}

/** Serialises decisions about what the workspace's addresses refer to. False if the workspace no longer exists. */
export async function lockWorkspace(tx: Transaction, { organizationId, workspaceId }: WorkspaceRef): Promise<boolean> {
  const { rows } = await tx.query(
    'select 1 from :schema.workspace where organization_id = $1 and id = $2 for no key update',
    [organizationId, workspaceId],
  );
  return rows.length > 0;
}
