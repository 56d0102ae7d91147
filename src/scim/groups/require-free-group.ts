import type { Transaction } from '../../store/database.ts';
import type { WorkspaceRef } from '../../tenancy/workspaces/workspace-ref.ts';
import { ScimError } from '../scim-error.ts';

const TAKEN = `
select 1 from :schema.scim_group g join :schema.workspace w on w.id = g.workspace_id
 where g.organization_id = $1 and g.workspace_id <> $2 and (lower(w.name) = lower($3) or g.external_id = $4) limit 1`;

/** Under the organization's lock: identity providers find a group by its name. */
export async function requireFreeGroup(
  tx: Transaction,
  { organizationId, workspaceId }: WorkspaceRef,
  { displayName, externalId }: { displayName?: string | undefined; externalId?: string | null | undefined },
): Promise<void> {
  const { rowCount } = await tx.query(TAKEN, [organizationId, workspaceId, displayName ?? null, externalId ?? null]);
  if (rowCount > 0)
    throw new ScimError('uniqueness', 'The organization has a group with this displayName or externalId.');
}
