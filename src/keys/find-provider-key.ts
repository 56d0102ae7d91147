import { type Sealed, unseal } from '../base/seal.ts';
import type { Queryable } from '../store/database.ts';
import { type KeyAddress, providerKeyContext } from './sealed-secrets.ts';

export type FoundKey =
  | { readonly status: 'present'; readonly key: string }
  | { readonly status: 'absent' }
  /** There is a key, but the current wrapping key cannot open it. It must never be treated as absent. */
  | { readonly status: 'undecryptable' };

interface KeyRow extends Record<string, unknown> {
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
}

/** The key at exactly this scope: not another workspace's, and not the organization's. */
export async function findProviderKey(
  db: Queryable,
  wrappingKey: Buffer | undefined,
  address: KeyAddress,
): Promise<FoundKey> {
  const { rows } = await db.query<KeyRow>(
    'select ciphertext, iv, auth_tag from :schema.org_provider_api_key where organization_id = $1 and workspace_id = $2 and provider = $3',
    [address.organizationId, address.workspaceId, address.provider],
  );
  const [row] = rows;
  return row
    ? openKey(
        wrappingKey,
        { ciphertext: row.ciphertext, iv: row.iv, authTag: row.auth_tag },
        providerKeyContext(address),
      )
    : { status: 'absent' };
}

export function openKey(
  wrappingKey: Buffer | undefined,
  sealed: Sealed,
  context: readonly string[],
): Exclude<FoundKey, { status: 'absent' }> {
  const key = wrappingKey && unseal(wrappingKey, sealed, context);
  return key === undefined ? { status: 'undecryptable' } : { status: 'present', key };
}
