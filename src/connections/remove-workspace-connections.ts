// The connections of a workspace that is being deleted. Their rows are deleted with it. At the provider they are deleted
// right after, if it can be reached; they are also noted, so that a later read repair deletes any that remain.
import { forEachAtMost } from '../timing/for-each-at-most.ts';
import type { Transaction } from '../store/database.ts';
import { type ConnectionRow, SELECT_CONNECTION, toConnection } from './connection-row.ts';
import type { IntegrationReference } from './connection-types.ts';
import type { WorkspaceRef } from '../tenancy/workspaces/workspace-ref.ts';
import { deleteAtProvider, type DeletionDeps } from './remove-connection.ts';
import { unsealReference } from './stored-reference.ts';

export type RemovalDeps = DeletionDeps;

const CONCURRENT_DELETIONS = 4;

/** Runs in the transaction that deletes the workspace, before the deletion. Returns what to delete after the commit. */
export async function noteWorkspaceConnections(
  { wrappingKey }: Pick<RemovalDeps, 'wrappingKey'>,
  tx: Transaction,
  { organizationId, workspaceId }: WorkspaceRef,
): Promise<readonly IntegrationReference[]> {
  // Anything about to store a connection here waits for this lock and then finds no workspace.
  await tx.query('select 1 from :schema.workspace where organization_id = $1 and id = $2 for update', [
    organizationId,
    workspaceId,
  ]);
  const { rows } = await tx.query<ConnectionRow>(
    `${SELECT_CONNECTION} where c.organization_id = $1 and c.workspace_id = $2 and c.kind = 'integration-reference'`,
    [organizationId, workspaceId],
  );
  await tx.query(
    `insert into :schema.connection_removed (organization_id, reference_digest)
     select distinct organization_id, reference_digest from :schema.org_connection_secret where organization_id = $1 and workspace_id = $2 and reference_digest is not null
     on conflict (organization_id, reference_digest) do update set removed_at = now()`,
    [organizationId, workspaceId],
  );
  return rows.flatMap((row) => {
    const connection = toConnection(row, new Date());
    const reference = wrappingKey && unsealReference(wrappingKey, connection, connection.sealed);
    return reference?.kind === 'integration-reference' ? [reference] : [];
  });
}

/** Best-effort; never throws. */
export async function deleteNotedConnections(
  deps: RemovalDeps,
  organizationId: string,
  references: readonly IntegrationReference[],
): Promise<void> {
  if (references.length > 0)
    deps.log.info(
      { organizationId, connections: references.length },
      'deleting connections of deleted workspace at the integration provider',
    );
  await forEachAtMost(CONCURRENT_DELETIONS, references, (reference) => deleteAtProvider(deps, reference));
}
