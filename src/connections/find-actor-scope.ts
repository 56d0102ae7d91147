import type { Queryable } from '../store/database.ts';
import { findStanding } from '../tenancy/find-standing.ts';
import type { Scope } from './connection-types.ts';

export interface Claimed {
  readonly organizationId: string;
  /** An id, or `default` or `global`. */
  readonly workspaceId: string;
  readonly actorId: string | undefined;
}

/**
 * The workspace that a provider's connection belongs to, when it exists and its actor is a member of it now. One that
 * names no actor was made by the operator, who alone can tag a connection at the provider.
 */
export async function findActorScope(db: Queryable, { organizationId, workspaceId, actorId }: Claimed): Promise<Scope | undefined> {
  if (actorId !== undefined) {
    const standing = await findStanding(db, { userId: actorId, organizationId, workspaceId });
    return standing?.isWorkspaceMember ? { organizationId: standing.organizationId, workspaceId: standing.workspaceId } : undefined;
  }
  const { rows } = await db.query<{ id: string }>('select id from :schema.workspace where organization_id = $1 and (id = $2 or slug = $2)', [organizationId, workspaceId]);
  return rows[0] && { organizationId, workspaceId: rows[0].id };
}
