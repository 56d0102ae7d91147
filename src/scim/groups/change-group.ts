import { lockPlace } from '../lock-place.ts';
import type { GroupChange } from '../protocol/patch-group.ts';
import type { ScimDeps } from '../scim-deps.ts';
import { changeMembers } from './change-members.ts';
import { getGroup } from './find-groups.ts';
import { requireFreeGroup } from './require-free-group.ts';

/** A new name is the workspace's; its slug, which is part of addresses, stays. */
export function changeGroup(
  { db, clock }: Pick<ScimDeps, 'db' | 'clock'>,
  organizationId: string,
  id: string,
  { displayName, externalId, members }: GroupChange,
): Promise<void> {
  const place = { organizationId, workspaceId: id };
  return db.transaction(async (tx) => {
    await lockPlace(db, tx, organizationId);
    await getGroup(tx, organizationId, { id });
    await requireFreeGroup(tx, place, { displayName, externalId });
    if (displayName !== undefined)
      await tx.query('update :schema.workspace set name = $2 where id = $1 and name <> $2', [id, displayName]);
    await tx.query(
      `update :schema.scim_group set changed_at = $2, external_id = case when $3 then $4 else external_id end where workspace_id = $1`,
      [id, clock(), externalId !== undefined, externalId ?? null],
    );
    await changeMembers(tx, place, members);
  });
}
