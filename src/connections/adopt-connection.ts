// Stores a connection that exists only at the provider: its webhook was lost, or it was created there directly.
import type { ProviderConnection } from '../nango/nango-shapes.ts';
import { findDigestKey } from './digest-key.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import type { ConnectionKind } from './connection-types.ts';
import { findOwningWorkspace, lockWorkspace } from './owning-workspace.ts';
import { findConnectorOf } from './handle-webhook.ts';
import { normalizeName } from './normalize-name.ts';
import { wasRemoved } from './removed-connections.ts';
import { digestReference, storeReference } from './stored-reference.ts';

interface TakenRow extends Record<string, unknown> {
  kind: ConnectionKind;
  status: string;
  updated_at: Date;
}

/**
 * Stores it where its tags say, or in Global if they name no workspace. A taken address is left alone, with one
 * exception: an invalid reference is replaced by one that was authorized after it became invalid.
 */
export async function adoptConnection(
  deps: ConnectionDeps,
  wrappingKey: Buffer,
  remote: ProviderConnection & { readonly refreshExhausted?: boolean },
): Promise<boolean> {
  const { db, log } = deps;
  const organizationId = organizationOf(remote);
  const connector = findConnectorOf(deps.catalog, remote.integrationId, remote.app);
  if (organizationId === undefined || !connector) return false;
  const actorId = remote.tags['end_user_id'] ?? remote.endUserId;
  const { integrationId, connectionId } = remote;
  const reason = remote.refreshExhausted
    ? 'provider_refresh_exhausted'
    : hasAuthErrors(remote)
      ? 'provider_connection_errors'
      : undefined;

  return db.transaction(async (tx) => {
    const found = await findOwningWorkspace(tx, {
      organizationId,
      workspaceId: remote.tags['workspace_id'] ?? 'global',
      actorId,
    });
    if (!found || !(await lockWorkspace(tx, found.ref))) return false;
    // Checked inside the transaction: it may have been removed since the provider listed it.
    const digest = digestReference(await findDigestKey(db, wrappingKey, tx), remote);
    if (await wasRemoved(tx, organizationId, digest, remote.createdAt)) return false;
    const address = { ...found.ref, provider: connector.id, name: normalizeName(remote.tags['connection_name']) };
    const { rows } = await tx.query<TakenRow>(
      'select kind, status, updated_at from :schema.org_connection_secret where organization_id = $1 and workspace_id = $2 and provider = $3 and name = $4 for update',
      [address.organizationId, address.workspaceId, address.provider, address.name],
    );
    const [taken] = rows;
    if (taken && (reason !== undefined || !mayBeReplaced(taken, remote.createdAt))) return false;
    const reference = { kind: 'integration-reference', integrationId, connectionId } as const;
    const id = await storeReference(db, tx, wrappingKey, {
      address,
      reference,
      status: reason === undefined ? 'valid' : 'invalid',
      reason,
      actorId,
      providerCreatedAt: remote.createdAt,
      whenTaken: taken ? 'replace' : 'keep',
    });
    if (id !== undefined) log.info({ ...address }, 'read repair stored connection');
    return id !== undefined;
  });
}

export function organizationOf(remote: ProviderConnection): string | undefined {
  return remote.tags['organization_id'] ?? remote.endUserOrganizationId;
}

export function hasAuthErrors({ errors }: Pick<ProviderConnection, 'errors'>): boolean {
  return errors.includes('auth');
}

function mayBeReplaced({ kind, status, updated_at: updatedAt }: TakenRow, createdAt: Date | undefined): boolean {
  return kind === 'integration-reference' && status === 'invalid' && createdAt !== undefined && createdAt > updatedAt;
}
