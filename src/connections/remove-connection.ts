// Removing a connection takes effect here at once and at the provider as soon as it can be reached. The
// row in connection_removed keeps read repair from bringing the connection back; it outlives the deletion at the
// provider, because a repair may be under way that has listed the connection before.
import { AppError } from '../base/errors.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import type { Connection, IntegrationReference } from './connection-types.ts';
import { notifyChange } from './notify-change.ts';
import { unsealReference } from './seal-reference.ts';

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
    if (row.reference_digest) {
      await tx.query('insert into :schema.connection_removed (organization_id, reference_digest) values ($1, $2) on conflict do nothing', [organizationId, row.reference_digest]);
    }
    await notifyChange(tx, db, workspaceId);
    return true;
  });
  if (!removed) throw new AppError('tool_not_found');

  // A payload that no longer opens cannot be followed to the provider; the reference is gone all the same.
  const reference = wrappingKey && unsealReference(wrappingKey, connection, connection.sealed);
  if (wrappingKey && reference?.kind === 'integration-reference') await deleteAtProvider(deps, reference);
}

/** Best-effort: a failure is logged and swallowed. */
export async function deleteAtProvider({ integrations, log }: Pick<ConnectionDeps, 'integrations' | 'log'>, { integrationId, connectionId }: ProviderIds): Promise<void> {
  if (!integrations) return;
  try {
    await integrations.client.deleteConnection(integrationId, connectionId, { timeoutMs: DELETE_TIMEOUT_MS });
  } catch (error) {
    log.warn({ err: error }, 'a connection could not be deleted at the integration provider');
  }
}

/** Forgets what was removed longer ago than any repair takes, but for what the provider still has. */
export async function forgetRemoved({ db }: Pick<ConnectionDeps, 'db'>, organizationId: string, stillThere: readonly Buffer[]): Promise<void> {
  await db.query("delete from :schema.connection_removed where organization_id = $1 and removed_at < now() - interval '1 day' and reference_digest <> all ($2::bytea[])", [organizationId, stillThere]);
}
