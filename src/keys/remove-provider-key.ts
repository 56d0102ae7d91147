import { AppError } from '../base/errors.ts';
import { isProviderId } from '../model-providers/providers.ts';
import { withLockedStanding } from '../tenancy/get-standing.ts';
import type { KeyDeps } from './model-settings.ts';
import { getKeyScope, type KeyPlace, requireKeyAuthority } from './key-scope.ts';
import { rewriteKeySummary } from './provider-key-summary.ts';

/** Removing what is not there changes nothing. A key of a provider that left the catalogue can still be removed. */
export async function removeProviderKey(
  { db, log, catalog }: Pick<KeyDeps, 'db' | 'log' | 'catalog'>,
  place: KeyPlace,
  provider: string,
): Promise<void> {
  const scope = await getKeyScope(db, place);
  requireKeyAuthority(scope);
  const address = { organizationId: scope.organizationId, workspaceId: scope.workspaceId, provider };
  const removed = await withLockedStanding(db, { userId: place.userId, ...address }, async (tx, standing) => {
    requireKeyAuthority(standing);
    const { rows } = await tx.query<{ fingerprint: string }>(
      'delete from :schema.org_provider_api_key where organization_id = $1 and workspace_id = $2 and provider = $3 returning fingerprint',
      [address.organizationId, address.workspaceId, provider],
    );
    if (rows[0]) await rewriteKeySummary(tx, address.organizationId);
    return rows[0];
  });
  if (removed) log.info({ ...address, userId: place.userId, fingerprint: removed.fingerprint }, 'provider key removed');
  else if (!isProviderId(provider) && !catalog.providers.includes(provider)) throw new AppError('provider_not_found');
}
