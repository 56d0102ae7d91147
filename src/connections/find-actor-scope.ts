import type { Queryable } from '../store/database.ts';
import { hasMutationAuthority } from '../tenancy/authority.ts';
import { findStanding } from '../tenancy/find-standing.ts';
import type { Scope } from './connection-types.ts';

export interface Claimed {
  readonly organizationId: string;
  /** An id, or `default` or `global`. */
  readonly workspaceId: string;
  readonly actorId: string | undefined;
}

export interface ActorScope {
  readonly scope: Scope;
  /** Mutation authority over that workspace. */
  readonly hasAuthority: boolean;
}

/**
 * The workspace that a provider's connection belongs to, when it exists and its actor is a member of it now. One that
 * names no actor was made by the operator, who alone can tag a connection at the provider.
 */
export async function findActorScope(
  db: Queryable,
  { organizationId, workspaceId, actorId }: Claimed,
): Promise<ActorScope | undefined> {
  if (actorId !== undefined) {
    const standing = await findStanding(db, { userId: actorId, organizationId, workspaceId });
    return standing?.isWorkspaceMember
      ? {
          scope: { organizationId: standing.organizationId, workspaceId: standing.workspaceId },
          hasAuthority: hasMutationAuthority(standing),
        }
      : undefined;
  }
  const { rows } = await db.query<{ id: string }>(
    'select id from :schema.workspace where organization_id = $1 and (id = $2 or slug = $2)',
    [organizationId, workspaceId],
  );
  return rows[0] && { scope: { organizationId, workspaceId: rows[0].id }, hasAuthority: true };
}
