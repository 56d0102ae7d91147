// Removing a connection takes effect here at once, and at the provider as soon as it can be reached. The removal is
// recorded, so that neither read repair nor a late webhook restores the connection.
import { AppError } from '../base/errors.ts';
import { findDigestKey } from './digest-key.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import type { Connection, IntegrationReference } from './connection-types.ts';
import { notifyChange } from './notify-change.ts';
import { noteRemoved } from './removed-connections.ts';
import { digestReference, unsealReference } from './stored-reference.ts';

export type DeletionDeps = Pick<ConnectionDeps, 'db' | 'log' | 'wrappingKey' | 'integrations'>;
type ProviderIds = Pick<IntegrationReference, 'integrationId' | 'connectionId'>;

const DELETE_TIMEOUT_MS = 5_000;

export async function removeConnection(deps: ConnectionDeps, connection: Connection): Promise<void> {
  const { db, wrappingKey } = deps;
  const { id, organizationId, workspaceId } = connection;
  const removed = await db.transaction(async (tx) => {
    const { rows } = await tx.query<{ reference_digest: Buffer | null }>(
      'delete from :schema.org_connection_secret where id = $1 and organization_id = $2 and workspace_id = $3 returning reference_digest',
      [id, organizationId, workspaceId],
    );
    const [row] = rows;
    if (!row) return false;
    if (row.reference_digest) await noteRemoved(tx, organizationId, row.reference_digest);
    await notifyChange(tx, db, workspaceId);
    return true;
  });
  if (!removed) throw new AppError('tool_not_found');

  // If the payload does not open, its connection cannot be deleted at the provider; the row is gone either way.
  const reference = wrappingKey && unsealReference(wrappingKey, connection, connection.sealed);
  if (wrappingKey && reference?.kind === 'integration-reference') await deleteAtProvider(deps, reference);
}

/** Best-effort: failures are only logged. A connection that any workspace still refers to is not deleted. */
export async function deleteAtProvider(
  { db, wrappingKey, integrations, log }: DeletionDeps,
  { integrationId, connectionId }: ProviderIds,
): Promise<void> {
  if (!integrations || !wrappingKey) return;
  try {
    const { rows } = await db.query('select 1 from :schema.org_connection_secret where reference_digest = $1 limit 1', [
      digestReference(await findDigestKey(db, wrappingKey), { integrationId, connectionId }),
    ]);
    if (rows.length > 0) return;
    await integrations.client.deleteConnection(integrationId, connectionId, { timeoutMs: DELETE_TIMEOUT_MS });
  } catch (error) {
    log.warn({ err: error }, 'could not delete connection at the integration provider');
  }
}
