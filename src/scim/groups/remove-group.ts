import { lockPlace } from '../lock-place.ts';
import type { ScimDeps } from '../scim-deps.ts';
import { getGroup } from './find-groups.ts';

/**
 * The workspace stays, with everything in it, for the owners and admins of the organization and for those who are owners or
 * admins of it; plain members, whom the group brought, leave it.
 */
export function removeGroup({ db }: Pick<ScimDeps, 'db'>, organizationId: string, id: string): Promise<void> {
  return db.transaction(async (tx) => {
    await lockPlace(db, tx, organizationId);
    await getGroup(tx, organizationId, { id });
    await tx.query("delete from :schema.workspace_member where workspace_id = $1 and role = 'member'", [id]);
    await tx.query('delete from :schema.scim_group where workspace_id = $1', [id]);
  });
}
