import { newId } from '../../base/ids.ts';
import type { Transaction } from '../../store/database.ts';
import { insertNamed } from '../../tenancy/workspaces/create-workspace.ts';
import { lockPlace } from '../lock-place.ts';
import type { GroupRecord } from '../protocol/patch-group.ts';
import type { ScimDeps } from '../scim-deps.ts';
import { changeMembers } from './change-members.ts';
import { type FoundGroup, getGroup } from './find-groups.ts';
import { requireFreeGroup } from './require-free-group.ts';

/**
 * Makes a named workspace, or takes over the oldest one with this name that no group keeps: those who are in it stay. So a
 * group that was deleted and comes back finds its workspace again.
 */
export function createGroup(
  { db, clock }: Pick<ScimDeps, 'db' | 'clock'>,
  organizationId: string,
  { displayName, externalId, members }: GroupRecord,
): Promise<FoundGroup> {
  return db.transaction(async (tx) => {
    await lockPlace(db, tx, organizationId);
    await requireFreeGroup(tx, { organizationId, workspaceId: '' }, { displayName, externalId });
    const workspaceId =
      (await findFreeWorkspace(tx, organizationId, displayName)) ??
      (await insertWorkspace(tx, organizationId, displayName));
    await tx.query(
      'insert into :schema.scim_group (workspace_id, organization_id, external_id, changed_at) values ($1, $2, $3, $4)',
      [workspaceId, organizationId, externalId ?? null, clock()],
    );
    await changeMembers(tx, { organizationId, workspaceId }, { ...members, keepsOthers: true });
    return getGroup(tx, organizationId, { id: workspaceId });
  });
}

async function findFreeWorkspace(tx: Transaction, organizationId: string, name: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ id: string }>(
    `select w.id from :schema.workspace w
      where w.organization_id = $1 and w.kind not in ('global', 'default') and lower(w.name) = lower($2)
        and not exists (select from :schema.scim_group g where g.workspace_id = w.id)
      order by w.id limit 1`,
    [organizationId, name],
  );
  return rows[0]?.id;
}

async function insertWorkspace(tx: Transaction, organizationId: string, name: string): Promise<string> {
  const id = newId('ws');
  await insertNamed(tx, id, organizationId, { name });
  return id;
}
