import type { Transaction } from '../../store/database.ts';
import type { WorkspaceRef } from '../../tenancy/workspaces/workspace-ref.ts';
import type { MemberChange } from '../protocol/patch-group.ts';
import { ScimError } from '../scim-error.ts';

const UNKNOWN = `
select a.id from unnest($2::text[]) as a (id)
 where not exists (select from :schema.organization_member m where m.organization_id = $1 and m.user_id = a.id) limit 5`;

/**
 * Under the organization's lock, in three statements however many there are. Someone who is in the workspace already keeps
 * their role.
 */
export async function changeMembers(
  tx: Transaction,
  { organizationId, workspaceId }: WorkspaceRef,
  { keepsOthers, added, removed }: MemberChange,
): Promise<void> {
  const ids = [...added];
  const { rows: unknown } = await tx.query<{ id: string }>(UNKNOWN, [organizationId, ids]);
  if (unknown.length > 0)
    throw new ScimError(
      'invalidValue',
      `The organization has no user with the id ${unknown.map(({ id }) => JSON.stringify(id.slice(0, 100))).join(', ')}.`,
    );
  if (!keepsOthers || removed.size > 0)
    await tx.query(
      `delete from :schema.workspace_member where workspace_id = $1 and ${keepsOthers ? 'user_id = any ($2)' : 'user_id <> all ($2)'}`,
      [workspaceId, keepsOthers ? [...removed] : ids],
    );
  await tx.query(
    `insert into :schema.workspace_member (workspace_id, user_id, organization_id, role)
     select $1, a.id, $2, 'member' from unnest($3::text[]) as a (id) on conflict (workspace_id, user_id) do nothing`,
    [workspaceId, organizationId, ids],
  );
}
