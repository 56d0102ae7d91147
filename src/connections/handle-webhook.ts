// What a signed webhook changes. The provider sends no event id and no time, and may send twice: every branch ends in
// the same rows however often it runs.
import type { Catalog, Connector } from '../catalog/connector-types.ts';
import { findConnector } from '../catalog/find-connector.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import { findActorScope } from './find-actor-scope.ts';
import { normalizeName } from './normalize-name.ts';
import { type Authorized, parseWebhook } from './parse-webhook.ts';
import { requireWrappingKey } from './read-reference.ts';
import { deleteAtProvider } from './remove-connection.ts';
import { digestReference } from './seal-reference.ts';
import { markByDigest, storeReference } from './store-reference.ts';

export type WebhookOutcome = { readonly ok: true } | { readonly ok: true; readonly ignored: true; readonly reason: string };

const ignored = (reason: string): WebhookOutcome => ({ ok: true, ignored: true, reason });
const DETAILS_TIMEOUT_MS = 3_000;

export async function handleWebhook(deps: ConnectionDeps, body: unknown): Promise<WebhookOutcome> {
  const event = parseWebhook(body);
  switch (event.shape) {
    case 'authorized':
      return storeAuthorized(deps, event);
    case 'refresh-failed': {
      const matched = await markByDigest(deps.db, digestReference(requireWrappingKey(deps.wrappingKey), event), 'webhook refresh failed');
      return matched > 0 ? { ok: true } : ignored('connection_unknown');
    }
    case 'other':
      return ignored('not_handled');
  }
}

async function storeAuthorized(deps: ConnectionDeps, event: Authorized): Promise<WebhookOutcome> {
  const { db, log } = deps;
  const wrappingKey = requireWrappingKey(deps.wrappingKey);
  const { integrationId, connectionId, organizationId, actorId } = event;
  if (organizationId === undefined) return ignored('organization_unknown');
  const connector = findConnectorOf(deps.catalog, integrationId, event.app);
  if (!connector) return ignored('connector_unknown');

  const claimed = { organizationId, actorId, workspaceId: event.workspaceId ?? 'default' };
  if (!(await findActorScope(db, claimed))) return refuseFormerMember(deps, wrappingKey, event);

  // Best-effort: what the provider knows beyond the webhook. The connection is stored with or without it.
  const details = await deps.integrations?.client.getConnection(integrationId, connectionId, { timeoutMs: DETAILS_TIMEOUT_MS, expiry: true }).catch(() => undefined);
  const known = details?.connectionId === connectionId ? details : undefined;
  const stored = await db.transaction(async (tx) => {
    // Asked again where it counts: the provider may have taken seconds to answer.
    const scope = await findActorScope(tx, claimed);
    if (!scope) return false;
    const address = { ...scope, provider: connector.id, name: normalizeName(event.connectionName) };
    const reference = { kind: 'integration-reference', integrationId, connectionId, ...(known?.cloudId === undefined ? {} : { cloudId: known.cloudId }) } as const;
    await storeReference(db, tx, wrappingKey, { address, reference, expiry: known?.expiry, createdBy: actorId }, 'replace');
    log.info({ ...address, operation: event.operation }, 'connection stored');
    return true;
  });
  return stored ? { ok: true } : refuseFormerMember(deps, wrappingKey, event);
}

/**
 * The actor is no longer a member. A connection that nobody refers to yet is deleted at the provider; one that a
 * workspace already uses is kept, but put out of use when the former member has just authorized it anew.
 */
async function refuseFormerMember(deps: ConnectionDeps, wrappingKey: Buffer, event: Authorized): Promise<WebhookOutcome> {
  const digest = digestReference(wrappingKey, event);
  const { rows } = await deps.db.query('select 1 from :schema.org_connection_secret where reference_digest = $1 limit 1', [digest]);
  if (rows.length === 0) await deleteAtProvider(deps, event);
  else if (event.operation === 'override') await markByDigest(deps.db, digest, 'reconnected by a former member');
  deps.log.info({ organizationId: event.organizationId, workspaceId: event.workspaceId, actorId: event.actorId }, 'webhook ignored: workspace membership revoked');
  return ignored('workspace_membership_revoked');
}

/** An integration's key is the connector's id; one that was registered under another key is known by its app. */
export function findConnectorOf(catalog: Catalog, integrationId: string, app: string | undefined): Connector | undefined {
  return findConnector(catalog, integrationId) ?? (app === undefined ? undefined : findConnector(catalog, app));
}
