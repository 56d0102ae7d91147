// A connection that the provider has and we do not refer to: its webhook was lost, or it was made at the provider.
import type { ProviderConnection } from '../nango/nango-shapes.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import type { ConnectionKind } from './connection-types.ts';
import { findActorScope } from './find-actor-scope.ts';
import { findConnectorOf } from './handle-webhook.ts';
import { lockWorkspace } from './lock-workspace.ts';
import { normalizeName } from './normalize-name.ts';
import { wasRemoved } from './removed-connections.ts';
import { digestReference } from './seal-reference.ts';
import { storeReference } from './store-reference.ts';

interface TakenRow extends Record<string, unknown> {
  kind: ConnectionKind;
  status: string;
  updated_at: Date;
}

/**
 * Stores it where its tags say, in Global when they name no workspace. An address that is taken stays as it is, with
 * one exception: a reference that went invalid gives way to one that was authorized after that.
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
    const found = await findActorScope(tx, {
      organizationId,
      workspaceId: remote.tags['workspace_id'] ?? 'global',
      actorId,
    });
    if (!found || !(await lockWorkspace(tx, found.scope))) return false;
    // Asked where it counts: it may have been removed since the provider listed it.
    if (await wasRemoved(tx, organizationId, digestReference(wrappingKey, remote), remote.createdAt)) return false;
    const address = { ...found.scope, provider: connector.id, name: normalizeName(remote.tags['connection_name']) };
    const { rows } = await tx.query<TakenRow>(
      'select kind, status, updated_at from :schema.org_connection_secret where organization_id = $1 and workspace_id = $2 and provider = $3 and name = $4 for update',
      [address.organizationId, address.workspaceId, address.provider, address.name],
    );
    const [taken] = rows;
    if (taken && (reason !== undefined || !givesWay(taken, remote.createdAt))) return false;
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
    if (id !== undefined) log.info({ ...address }, 'read repair: connection stored');
    return id !== undefined;
  });
}

export function organizationOf(remote: ProviderConnection): string | undefined {
  return remote.tags['organization_id'] ?? remote.endUserOrganizationId;
}

export function hasAuthErrors({ errors }: Pick<ProviderConnection, 'errors'>): boolean {
  return errors.includes('auth');
}

function givesWay({ kind, status, updated_at: updatedAt }: TakenRow, createdAt: Date | undefined): boolean {
  return kind === 'integration-reference' && status === 'invalid' && createdAt !== undefined && createdAt > updatedAt;
}
