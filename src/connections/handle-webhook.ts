// Applies a signed webhook. The provider sends neither an event id nor a time and may send an event twice, so every
// branch is idempotent.
import type { Catalog, Connector } from '../catalog/connector-types.ts';
import { findConnector } from '../catalog/find-connector.ts';
import type { Transaction } from '../store/database.ts';
import { findUnknownPart } from '../tenancy/find-unknown-part.ts';
import { findDigestKey } from './digest-key.ts';
import { viewAtProvider, type ProviderView } from './check-connection.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import { type ConnectionStatus, statusAt } from './connection-status.ts';
import type { ConnectionRef } from './connection-types.ts';
import { findOwningWorkspace, lockWorkspace } from './owning-workspace.ts';
import { judgeAuthorization, type Situation, type Verdict } from './judge-authorization.ts';
import { normalizeName } from './normalize-name.ts';
import { type Authorized, parseWebhook } from './parse-webhook.ts';
import { digestReference, markByDigest, markById, requireWrappingKey, storeReference } from './stored-reference.ts';
import { deleteAtProvider } from './remove-connection.ts';
import { noteRemoved, wasRemoved } from './removed-connections.ts';

export type WebhookOutcome =
  | { readonly ok: true }
  | { readonly ok: true; readonly ignored: true; readonly reason: string };

const ignored = (reason: string): WebhookOutcome => ({ ok: true, ignored: true, reason });

export async function handleWebhook(deps: ConnectionDeps, body: unknown): Promise<WebhookOutcome> {
  const event = parseWebhook(body);
  switch (event.shape) {
    case 'authorized':
      return storeAuthorized(deps, event);
    case 'refreshed': {
      const matched = await markByDigest(
        deps.db,
        digestReference(await findDigestKey(deps.db, requireWrappingKey(deps.wrappingKey)), event),
        event.succeeded ? 'webhook refresh succeeded' : 'webhook refresh failed',
      );
      return matched > 0 ? { ok: true } : ignored('connection_unknown');
    }
    case 'unclear':
      return ignored(event.reason);
    case 'other':
      return ignored('not_handled');
  }
}

async function storeAuthorized(deps: ConnectionDeps, event: Authorized): Promise<WebhookOutcome> {
  const { db, log } = deps;
  const wrappingKey = requireWrappingKey(deps.wrappingKey);
  const { integrationId, connectionId, organizationId, actorId } = event;
  const connector = findConnectorOf(deps.catalog, integrationId, event.app);
  if (!connector) return ignored('connector_unknown');

  const claimed = { organizationId, actorId, workspaceId: event.workspaceId ?? 'default' };
  if (!(await findOwningWorkspace(db, claimed))) return refuseOutsider(deps, wrappingKey, event);

  const view = await viewAtProvider(deps, event);
  const digest = digestReference(await findDigestKey(deps.db, wrappingKey), event);
  const judged = await db.transaction(
    async (tx): Promise<(Verdict & { storedId?: string | undefined }) | undefined> => {
      // Checked again inside the transaction: the provider may have taken seconds to answer.
      const found = await findOwningWorkspace(tx, claimed);
      if (!found || !(await lockWorkspace(tx, found.ref))) return undefined;
      const address = { ...found.ref, provider: connector.id, name: normalizeName(event.connectionName) };
      const stored = await findStored(tx, address);
      const situation = describeSituation(event, view, {
        stored: stored && {
          ...stored,
          isSame: stored.digest?.equals(digest) === true,
          status: statusAt(stored.status, stored.expiry, deps.clock()),
        },
        removed: await wasRemoved(tx, organizationId, digest, view.createdAt),
        hasAuthority: found.hasAuthority,
      });
      const verdict = judgeAuthorization(situation);
      if (verdict.act === 'delete at the provider') await noteRemoved(tx, organizationId, digest);
      if (verdict.act !== 'store') return { ...verdict, storedId: stored?.id };
      const reference = {
        kind: 'integration-reference',
        integrationId,
        connectionId,
        ...(view.cloudId === undefined ? {} : { cloudId: view.cloudId }),
      } as const;
      await storeReference(db, tx, wrappingKey, {
        address,
        reference,
        expiry: view.expiry,
        actorId,
        providerCreatedAt: view.createdAt,
        whenTaken: 'replace',
      });
      log.info({ ...address, operation: event.operation }, 'connection stored');
      return verdict;
    },
  );
  if (!judged) return refuseOutsider(deps, wrappingKey, event);
  if (judged.act === 'store') return { ok: true };
  if (judged.act === 'delete at the provider') await deleteAtProvider(deps, event);
  if (judged.act === 'invalidate' && judged.storedId !== undefined)
    await markById(db, judged.storedId, 'reconnected without authority');
  log.info(
    { organizationId, workspaceId: event.workspaceId, actorId, reason: judged.reason, act: judged.act },
    'webhook not applied',
  );
  return ignored(judged.reason);
}

interface StoredConnection {
  readonly id: string;
  readonly status: ConnectionStatus;
  readonly expiry: Date | undefined;
  readonly digest: Buffer | undefined;
  readonly authorizedBy: string | undefined;
  readonly providerCreatedAt: Date | undefined;
}

interface StoredRow extends Record<string, unknown> {
  id: string;
  status: ConnectionStatus;
  expiry: Date | null;
  reference_digest: Buffer | null;
  authorized_by: string | null;
  provider_created_at: Date | null;
}

async function findStored(
  tx: Transaction,
  { organizationId, workspaceId, provider, name }: ConnectionRef,
): Promise<StoredConnection | undefined> {
  const { rows } = await tx.query<StoredRow>(
    'select id, status, expiry, reference_digest, authorized_by, provider_created_at from :schema.org_connection_secret where organization_id = $1 and workspace_id = $2 and provider = $3 and name = $4 for update',
    [organizationId, workspaceId, provider, name],
  );
  const [row] = rows;
  return (
    row && {
      id: row.id,
      status: row.status,
      expiry: row.expiry ?? undefined,
      digest: row.reference_digest ?? undefined,
      authorizedBy: row.authorized_by ?? undefined,
      providerCreatedAt: row.provider_created_at ?? undefined,
    }
  );
}

interface Found {
  readonly stored: (StoredConnection & { readonly isSame: boolean }) | undefined;
  readonly removed: boolean;
  readonly hasAuthority: boolean;
}

function describeSituation(
  { actorId }: Authorized,
  view: ProviderView,
  { stored, removed, hasAuthority }: Found,
): Situation {
  return {
    provider: view.state,
    removed,
    stored: stored && {
      status: stored.status,
      isSame: stored.isSame,
      isNewer:
        stored.providerCreatedAt !== undefined &&
        view.createdAt !== undefined &&
        view.createdAt < stored.providerCreatedAt,
      authorizedByActor: stored.authorizedBy === actorId,
    },
    actorHasAuthority: hasAuthority,
    credentialIsActors: view.authorizedBy === actorId,
  };
}

/**
 * The actor is not a member. The provider may serve others too: what names an organization, workspace or person that is
 * not known here is theirs, and stays as it is. A former member's connection that no row refers to is deleted at the
 * provider. One that a workspace already uses is kept, but invalidated if an outsider has just authorized it again.
 */
async function refuseOutsider(deps: ConnectionDeps, wrappingKey: Buffer, event: Authorized): Promise<WebhookOutcome> {
  const { organizationId, workspaceId, actorId } = event;
  const unknown = await findUnknownPart(deps.db, {
    organizationId,
    workspaceId: workspaceId ?? 'default',
    userId: actorId,
  });
  if (unknown === 'organization_unknown' || unknown === 'workspace_unknown') return ignored(unknown);
  const digest = digestReference(await findDigestKey(deps.db, wrappingKey), event);
  const { rows } = await deps.db.query(
    'select 1 from :schema.org_connection_secret where reference_digest = $1 limit 1',
    [digest],
  );
  if (rows.length === 0 && unknown !== undefined) return ignored(unknown);
  if (rows.length === 0) {
    await noteRemoved(deps.db, organizationId, digest);
    await deleteAtProvider(deps, event);
  } else if (event.operation === 'override') await markByDigest(deps.db, digest, 'reconnected by a former member');
  deps.log.info({ organizationId, workspaceId, actorId }, 'webhook ignored: workspace membership revoked');
  return ignored('workspace_membership_revoked');
}

/** An integration's key is the connector's id; one registered under another key is identified by its app. */
export function findConnectorOf(
  catalog: Catalog,
  integrationId: string,
  app: string | undefined,
): Connector | undefined {
  return findConnector(catalog, integrationId) ?? (app === undefined ? undefined : findConnector(catalog, app));
}
