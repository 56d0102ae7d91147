// Saving an own provider key: format, then one live call to the provider, then encryption. A key is never typed over
// another one, and nothing is kept of a save that fails.
import { type ErrorCode, AppError } from '../base/errors.ts';
import { fingerprint, seal } from '../base/seal.ts';
import type { KeyUse } from '../contract/key-use.ts';
import { isProviderId, providerName } from '../providers/providers.ts';
import { type KeyValidation, validateKey } from '../providers/validate-key.ts';
import type { Queryable } from '../store/database.ts';
import { withLockedStanding } from '../tenancy/get-standing.ts';
import type { Standing } from '../tenancy/standing.ts';
import { checkKeyFormat } from './check-key-format.ts';
import { findKeyUse, readKeyUseFacts } from './find-key-use.ts';
import { type KeyDeps, requireWrappingKey } from './model-settings.ts';
import { requireKeyAuthority } from './key-scope.ts';
import { rewriteKeySummary } from './provider-key-summary.ts';
import { type KeyAddress, providerKeyContext } from './seal-contexts.ts';

const KEY_VERSION = 1;

const VALIDATION_ERRORS = {
  rejected: { code: 'provider_key_rejected_on_save', retryable: false },
  unavailable: { code: 'provider_key_not_validated', retryable: true },
  unreachable: { code: 'provider_key_not_reached', retryable: true },
} as const satisfies Record<Exclude<KeyValidation, 'valid'>, { code: ErrorCode; retryable: boolean }>;

/** Answers which requests the key serves from now on. */
export async function saveProviderKey(
  deps: KeyDeps,
  { userId, organizationId, workspaceId }: Standing,
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
  // The call to the provider may have taken a while: authority is asked for again, together with the write.
  const facts = await withLockedStanding(db, { userId, ...address }, async (tx, standing) => {
    requireKeyAuthority(standing);
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
    return readKeyUseFacts(tx, standing, deps.strict);
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
  deps.log.info({ provider, outcome, fingerprint: fingerprint(key) }, 'provider key not saved');
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
