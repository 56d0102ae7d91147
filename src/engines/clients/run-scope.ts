import type { Scope } from '../../connections/connection-types.ts';
import type { Queryable } from '../../store/database.ts';
import { findStanding } from '../../tenancy/find-standing.ts';

/** The person and the workspace of a run. */
export interface RunScope extends Scope {
  readonly userId: string;
}

/** Membership is looked up each time a credential is about to be used, never cached. */
export async function isStillMember(db: Queryable, scope: RunScope): Promise<boolean> {
  return (await findStanding(db, scope))?.isWorkspaceMember === true;
}
