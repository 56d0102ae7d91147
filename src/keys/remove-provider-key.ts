import { AppError } from '../base/errors.ts';
import { isProviderId } from '../providers/providers.ts';
import { withLockedStanding } from '../tenancy/get-standing.ts';
import type { Standing } from '../tenancy/standing.ts';
import type { KeyDeps } from './model-settings.ts';
import { requireKeyAuthority } from './key-scope.ts';
import { rewriteKeySummary } from './provider-key-summary.ts';

/** Removing what is not there changes nothing. A key of a provider that left the catalogue can still be removed. */
export async function removeProviderKey(
  { db, log, catalog }: Pick<KeyDeps, 'db' | 'log' | 'catalog'>,
  { userId, organizationId, workspaceId }: Standing,
  provider: string,
): Promise<void> {
  const address = { organizationId, workspaceId, provider };
  const removed = await withLockedStanding(db, { userId, ...address }, async (tx, standing) => {
    requireKeyAuthority(standing);
    const { rows } = await tx.query<{ fingerprint: string }>(
      'delete from :schema.org_provider_api_key where organization_id = $1 and workspace_id = $2 and provider = $3 returning fingerprint',
      [address.organizationId, address.workspaceId, provider],
    );
    if (rows[0]) await rewriteKeySummary(tx, address.organizationId);
    return rows[0];
  });
  if (removed) log.info({ ...address, userId, fingerprint: removed.fingerprint }, 'provider key removed');
  else if (!isProviderId(provider) && !catalog.providers.includes(provider)) throw new AppError('provider_not_found');
}
