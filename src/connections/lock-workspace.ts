import type { Transaction } from '../store/database.ts';
import type { Scope } from './connection-types.ts';

/** One at a time decides what an address of the workspace refers to. False when the workspace is gone. */
export async function lockWorkspace(tx: Transaction, { organizationId, workspaceId }: Scope): Promise<boolean> {
  const { rows } = await tx.query(
    'select 1 from :schema.workspace where organization_id = $1 and id = $2 for no key update',
    [organizationId, workspaceId],
  );
  return rows.length > 0;
}
