import type { WorkspaceRef } from '../../tenancy/workspaces/workspace-ref.ts';
import type { Queryable } from '../../store/database.ts';
import { findMembership } from '../../tenancy/members/find-membership.ts';

/** The person and the workspace of a run. */
export interface RunScope extends WorkspaceRef {
  readonly userId: string;
}

/** Membership is looked up each time a credential is about to be used, never cached. */
export async function isStillMember(db: Queryable, scope: RunScope): Promise<boolean> {
  return (await findMembership(db, scope))?.isWorkspaceMember === true;
}
