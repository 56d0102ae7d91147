// Saving and removing an organization's own provider keys. A save checks the format, makes one live call to the
// provider, then encrypts. It never overwrites another key, and a failed save stores nothing.
import { type ErrorCode, AppError } from '../base/errors.ts';
import { fingerprint, seal } from '../base/seal.ts';
import type { KeyUse } from '../contract/key-use.ts';
import type { ProviderKeySummary } from '../contract/policy.ts';
import { isProviderId, type ProviderId, providerIds, PROVIDERS, providerName } from '../model-providers/providers.ts';
import { type KeyValidation, validateKey } from '../model-providers/validate-key.ts';
import type { Queryable, Transaction } from '../store/database.ts';
import { withLockedMembership } from '../tenancy/members/get-membership.ts';
import type { Membership } from '../tenancy/members/membership.ts';
import { findKeyUse, readKeyUseFacts } from './find-key-use.ts';
import type { KeyDeps } from './model-settings.ts';
import { requireKeyAuthority } from './key-scope.ts';
import { type KeyAddress, providerKeyContext, requireWrappingKey } from './sealed-secrets.ts';

const KEY_VERSION = 1;

const VALIDATION_ERRORS = {
  rejected: { code: 'provider_key_rejected_on_save', retryable: false },
  unavailable: { code: 'provider_key_not_validated', retryable: true },
  unreachable: { code: 'provider_key_not_reached', retryable: true },
} as const satisfies Record<Exclude<KeyValidation, 'valid'>, { code: ErrorCode; retryable: boolean }>;

/** Returns which requests the key now serves. */
export async function saveProviderKey(
  deps: KeyDeps,
  { userId, organizationId, workspaceId }: Membership,
  provider: string,
  givenKey: string | null | undefined,
): Promise<KeyUse> {
  const { db, log } = deps;
  if (!isProviderId(provider) && !deps.catalog.providers.includes(provider)) throw new AppError('provider_not_found');
  const key = checkKeyFormat(provider, givenKey);
  const address = { organizationId, workspaceId, provider };
  if (await hasProviderKey(db, address)) throw new AppError('provider_key_exists');
  const wrappingKey = requireWrappingKey(deps);
  await requireValidKey(deps, provider, key);

  const sealed = seal(wrappingKey, key, providerKeyContext(address));
  // The call to the provider may have taken a while, so authority is checked again in the transaction of the write.
  const facts = await withLockedMembership(db, { userId, ...address }, async (tx, membership) => {
    requireKeyAuthority(membership);
    const { rowCount } = await tx.query(
      `insert into :schema.org_provider_api_key (organization_id, workspace_id, provider, ciphertext, iv, auth_tag, key_version, fingerprint)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
      [
        address.organizationId,
        address.workspaceId,
        provider,
        sealed.ciphertext,
        sealed.iv,
        sealed.authTag,
        KEY_VERSION,
        fingerprint(key),
      ],
    );
    if (rowCount === 0) throw new AppError('provider_key_exists');
    await rewriteKeySummary(tx, address.organizationId);
    return readKeyUseFacts(tx, membership, deps.strict);
  });
  log.info({ ...address, userId, fingerprint: fingerprint(key) }, 'provider key saved');
  return findKeyUse(facts, { provider, isUndecryptable: false });
}

async function requireValidKey(deps: KeyDeps, provider: string, key: string): Promise<void> {
  if (!isProviderId(provider)) return;
  const { validationTimeoutMs } = deps;
  const outcome = await validateKey({
    provider,
    url: deps.providerUrls[provider],
    key,
    ...(validationTimeoutMs === undefined ? {} : { timeoutMs: validationTimeoutMs }),
  });
  if (outcome === 'valid') return;
  deps.log.info({ provider, outcome, fingerprint: fingerprint(key) }, 'provider key not saved: validation failed');
  const { code, retryable } = VALIDATION_ERRORS[outcome];
  throw new AppError(code, { provider: providerName(provider), retryable });
}

async function hasProviderKey(db: Queryable, { organizationId, workspaceId, provider }: KeyAddress): Promise<boolean> {
  const { rowCount } = await db.query(
    'select 1 from :schema.org_provider_api_key where organization_id = $1 and workspace_id = $2 and provider = $3',
    [organizationId, workspaceId, provider],
  );
  return rowCount > 0;
}

/** Removing a key that does not exist changes nothing. A key can be removed even after its provider has left the catalogue. */
export async function removeProviderKey(
  { db, log, catalog }: Pick<KeyDeps, 'db' | 'log' | 'catalog'>,
  { userId, organizationId, workspaceId }: Membership,
  provider: string,
): Promise<void> {
  const address = { organizationId, workspaceId, provider };
  const removed = await withLockedMembership(db, { userId, ...address }, async (tx, membership) => {
    requireKeyAuthority(membership);
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

/** The key without the white space that pasting adds. Only formats of callable providers are checked. */
export function checkKeyFormat(provider: string, given: string | null | undefined): string {
  const key = (given ?? '').trim();
  if (key === '') throw new AppError('provider_key_required', { retryable: false });
  if (!isProviderId(provider)) return key;
  const { name, keyPrefix } = PROVIDERS[provider];
  if (!key.startsWith(keyPrefix))
    throw new AppError('provider_key_prefix', { provider: name, prefix: keyPrefix, retryable: false });
  return key;
}

/**
 * Rewrites which providers have a key in the organization scope; a key of a named workspace never counts. It runs on
 * every save and removal, under the organization's lock, so that concurrent writes cannot miss each other.
 */
async function rewriteKeySummary(tx: Transaction, organizationId: string): Promise<void> {
  const { rows } = await tx.query<{ provider: string }>(
    `select k.provider from :schema.org_provider_api_key k join :schema.workspace w on w.id = k.workspace_id
      where k.organization_id = $1 and w.organization_id = $1 and w.kind = 'global'`,
    [organizationId],
  );
  const configured = new Set(rows.map(({ provider }) => provider));
  const summary = Object.fromEntries(providerIds().map((provider) => [provider, configured.has(provider)])) as Record<
    ProviderId,
    boolean
  > satisfies ProviderKeySummary;
  await tx.query(
    `insert into :schema.org_policy (organization_id, provider_key_summary) values ($1, $2)
     on conflict (organization_id) do update set provider_key_summary = excluded.provider_key_summary, updated_at = now()`,
    [organizationId, JSON.stringify(summary)],
  );
}
