import type { Scope } from '../../connections/connection-types.ts';
import type { Queryable } from '../../store/database.ts';
import { findStanding } from '../../tenancy/find-standing.ts';

/** Whose run it is, and in which workspace. */
export interface RunScope extends Scope {
  readonly userId: string;
}

/** Membership is looked up whenever a credential is about to be used, never remembered. */
export async function isStillMember(db: Queryable, scope: RunScope): Promise<boolean> {
  return (await findStanding(db, scope))?.isWorkspaceMember === true;
}
