// Read repair reconciles one workspace, and the organization's Global scope, with the provider. It stores missing
// references, marks those the provider reports as broken, and deletes no stored reference. It never throws.
import { forEachAtMost } from '../timing/for-each-at-most.ts';
import type { NangoClient } from '../nango/nango-client.ts';
import { NangoError } from '../nango/nango-error.ts';
import type { ProviderConnection } from '../nango/nango-shapes.ts';
import { findDigestKey } from './digest-key.ts';
import { adoptConnection, hasAuthErrors, organizationOf } from './adopt-connection.ts';
import { checkConnection } from './check-connection.ts';
import type { ConnectionDeps } from './connection-deps.ts';
import { type ConnectionRow, SELECT_CONNECTION, toConnection } from './connection-row.ts';
import type { IntegrationReference } from './connection-types.ts';
import type { WorkspaceRef } from '../tenancy/workspaces/workspace-ref.ts';
import { gatherProviderConnections } from './gather-provider-connections.ts';
import { deleteAtProvider } from './remove-connection.ts';
import { isRemoval } from './removed-connections.ts';
import { digestReference, markById, unsealReference } from './stored-reference.ts';

export interface RepairOutcome {
  readonly retryAfterSeconds?: number | undefined;
}

const REPAIR_TIMEOUT_MS = 5_000;
const CHECKS_AT_ONCE = 4;

export async function repairConnections(deps: ConnectionDeps, ref: WorkspaceRef): Promise<RepairOutcome> {
  const { integrations, wrappingKey, log, repairTimeoutMs = REPAIR_TIMEOUT_MS } = deps;
  if (!integrations || !wrappingKey) return {};
  try {
    const signal = AbortSignal.timeout(repairTimeoutMs);
    return await reconcile(deps, ref, { client: integrations.client, wrappingKey, signal });
  } catch (error) {
    log.warn({ err: error, ...ref }, 'read repair failed, serving stored connections unchanged');
    return {};
  }
}

/** What one repair uses to query the provider and open stored references. */
interface Repair {
  readonly client: NangoClient;
  readonly wrappingKey: Buffer;
  readonly signal: AbortSignal;
}

async function reconcile(deps: ConnectionDeps, ref: WorkspaceRef, repair: Repair): Promise<RepairOutcome> {
  const { client, wrappingKey, signal } = repair;
  const { listed, complete, stored, retryAfterSeconds } = await gatherProviderConnections(deps, client, ref, signal);
  // The provider's filters are not relied on: connections tagged for another workspace are skipped.
  const isOurs = (remote: ProviderConnection): boolean =>
    organizationOf(remote) === ref.organizationId &&
    (remote.tags['workspace_id'] ?? ref.workspaceId) === ref.workspaceId;
  const digestKey = await findDigestKey(deps.db, wrappingKey);
  const digestOf = (ids: Pick<IntegrationReference, 'integrationId' | 'connectionId'>): string =>
    digestReference(digestKey, ids).toString('hex');

  // A listed connection is not missing, even if its tags now point elsewhere.
  const reported = new Map(listed.map((remote) => [digestOf(remote), remote]));
  await forEachAtMost(CHECKS_AT_ONCE, await readStored(deps, wrappingKey, ref), async ({ id, reference }) => {
    const remote = reported.get(digestOf(reference));
    if (remote) {
      if (hasAuthErrors(remote)) await markById(deps.db, id, 'listed with authorization errors');
    } else if (complete) await checkStored(deps, { id, reference }, repair);
  });

  // Connections removed here are deleted at the provider, whichever workspace of the organization they were in: that
  // workspace may no longer exist.
  const ofOrganization = listed.filter((remote) => organizationOf(remote) === ref.organizationId);
  const candidates = new Map([...stored.filter(isOurs), ...ofOrganization].map((remote) => [digestOf(remote), remote]));
  const settled = await findSettled(deps, ref.organizationId, candidates);
  for (const [digest, remote] of [...candidates].sort(
    ([, a], [, b]) => (b.createdAt?.getTime() ?? 0) - (a.createdAt?.getTime() ?? 0),
  )) {
    const known = settled.get(digest);
    if (known === undefined && isOurs(remote)) await adoptConnection(deps, wrappingKey, remote);
    else if (known === 'removed') await deleteAtProvider(deps, remote);
  }
  return { retryAfterSeconds };
}

async function checkStored(
  { db, log }: ConnectionDeps,
  { id, reference }: { id: string; reference: IntegrationReference },
  { client, signal }: Repair,
): Promise<void> {
  try {
    const result = await checkConnection(client, reference, signal);
    if (result !== 'healthy') await markById(db, id, result);
  } catch (error) {
    if (!(error instanceof NangoError)) throw error;
    log.warn({ err: error, connection: id }, 'read repair could not check connection');
  }
}

/** Stored references of the workspace and of Global, including the agent registry's; one that does not open is skipped. */
async function readStored(
  { db, clock }: ConnectionDeps,
  wrappingKey: Buffer,
  { organizationId, workspaceId }: WorkspaceRef,
): Promise<{ id: string; reference: IntegrationReference }[]> {
  const { rows } = await db.query<ConnectionRow>(
    `${SELECT_CONNECTION} where c.organization_id = $1 and c.kind = 'integration-reference'
       and c.workspace_id in (select w.id from :schema.workspace w where w.organization_id = $1 and (w.id = $2 or w.kind = 'global'))`,
    [organizationId, workspaceId],
  );
  return rows.flatMap((row) => {
    const connection = toConnection(row, clock());
    const reference = unsealReference(wrappingKey, connection, connection.sealed);
    return reference?.kind === 'integration-reference' ? [{ id: connection.id, reference }] : [];
  });
}

/** Which candidates are already stored, and which were removed here. */
async function findSettled(
  { db }: ConnectionDeps,
  organizationId: string,
  candidates: ReadonlyMap<string, ProviderConnection>,
): Promise<Map<string, 'stored' | 'removed'>> {
  const { rows } = await db.query<{ digest: string; state: 'stored' | 'removed' | null }>(
    `select encode(d.digest, 'hex') as digest,
            case when exists (select from :schema.org_connection_secret c where c.reference_digest = d.digest) then 'stored'
                 when exists (select from :schema.connection_removed r where r.organization_id = $1 and r.reference_digest = d.digest and ${isRemoval('d.created_at')}) then 'removed' end as state
       from unnest($2::bytea[], $3::timestamptz[]) as d (digest, created_at)`,
    [
      organizationId,
      [...candidates.keys()].map((digest) => Buffer.from(digest, 'hex')),
      [...candidates.values()].map(({ createdAt }) => createdAt ?? null),
    ],
  );
  return new Map(rows.flatMap(({ digest, state }) => (state === null ? [] : [[digest, state]])));
}
