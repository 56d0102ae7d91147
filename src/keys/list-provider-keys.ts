import type { ProviderKeyState } from '../contract/provider-keys.ts';
import { findProvider, isProviderId, providerIds, providerName } from '../model-providers/providers.ts';
import type { Membership } from '../tenancy/members/membership.ts';
import { openKey } from './find-provider-key.ts';
import { findKeyUse, readKeyUseFacts } from './find-key-use.ts';
import type { KeyDeps } from './model-settings.ts';
import { providerKeyContext } from './sealed-secrets.ts';

interface KeyRow extends Record<string, unknown> {
  provider: string;
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
  fingerprint: string;
  updated_at: Date;
}

/** Every provider that a key may be saved for, with what is stored at exactly this scope. Keys are never returned. */
export async function listProviderKeys(
  { db, catalog, wrappingKey, strict }: Pick<KeyDeps, 'db' | 'catalog' | 'wrappingKey' | 'strict'>,
  scope: Membership,
): Promise<ProviderKeyState[]> {
  const { organizationId, workspaceId } = scope;
  const { rows } = await db.query<KeyRow>(
    'select provider, ciphertext, iv, auth_tag, fingerprint, updated_at from :schema.org_provider_api_key where organization_id = $1 and workspace_id = $2',
    [organizationId, workspaceId],
  );
  const facts = await readKeyUseFacts(db, scope, strict);
  const stored = new Map(rows.map((row) => [row.provider, row]));
  return [...new Set([...providerIds(), ...catalog.providers, ...stored.keys()])].map((provider) => {
    const row = stored.get(provider);
    const about = {
      provider,
      name: providerName(provider),
      executable: isProviderId(provider),
      hasCard: findProvider(provider)?.hasKeyCard ?? false,
      configured: row !== undefined,
    };
    if (!row) return about;
    const opened = openKey(
      wrappingKey,
      { ciphertext: row.ciphertext, iv: row.iv, authTag: row.auth_tag },
      providerKeyContext({ organizationId, workspaceId, provider }),
    );
    const isUndecryptable = opened.status === 'undecryptable';
    return {
      ...about,
      fingerprint: row.fingerprint,
      updatedAt: row.updated_at.toISOString(),
      ...(isUndecryptable ? { undecryptable: true } : {}),
      use: findKeyUse(facts, { provider, isUndecryptable }),
    };
  });
}
