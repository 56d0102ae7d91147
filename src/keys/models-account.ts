// An OpenAI-compatible account of a workspace or of the organization (its Global workspace): its URL, the models it
// routes, and its key, which is never returned.
import { fingerprint, type Sealed, seal } from '../base/seal.ts';
import type { ModelsAccountInput, ModelsAccountState } from '../contract/models-account.ts';
import type { Queryable } from '../store/database.ts';
import { requireMutationAuthority, requireSettings } from '../tenancy/authority.ts';
import type { MembershipLookup } from '../tenancy/members/find-membership.ts';
import { withLockedMembership } from '../tenancy/members/get-membership.ts';
import type { Membership } from '../tenancy/members/membership.ts';
import { checkAccountUrl } from './check-account-url.ts';
import { openKey } from './find-provider-key.ts';
import type { KeyDeps } from './model-settings.ts';
import { modelsAccountContext, requireWrappingKey } from './sealed-secrets.ts';

interface AccountRow extends Record<string, unknown> {
  base_url: string;
  models: string[];
  takes_effort: boolean;
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
  fingerprint: string;
  updated_at: Date;
}

const KEY_VERSION = 1;
const NONE: ModelsAccountState = { configured: false };

export function showModelsAccount(
  { db, wrappingKey }: Pick<KeyDeps, 'db' | 'wrappingKey'>,
  { organizationId, workspaceId }: Membership,
): Promise<ModelsAccountState> {
  return readAccount(db, wrappingKey, organizationId, workspaceId);
}

/**
 * The key is required for every change: otherwise anyone who may edit the account could learn the key by pointing it
 * elsewhere.
 */
export async function saveModelsAccount(
  deps: KeyDeps,
  membership: Membership,
  input: ModelsAccountInput,
): Promise<ModelsAccountState> {
  const state = await withLockedMembership(deps.db, membership, async (tx, membership) => {
    requireAccountAuthority(membership);
    const wrappingKey = requireWrappingKey(deps);
    const baseUrl = checkAccountUrl(input.baseUrl, deps.allowPrivateUrls);
    const { organizationId, workspaceId } = membership;
    const sealed: Sealed = seal(wrappingKey, input.key, modelsAccountContext({ organizationId, workspaceId }));
    await tx.query(
      `insert into :schema.models_account (workspace_id, organization_id, base_url, models, ciphertext, iv, auth_tag, key_version, fingerprint, takes_effort)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       on conflict (workspace_id) do update set base_url = excluded.base_url, models = excluded.models, takes_effort = excluded.takes_effort, ciphertext = excluded.ciphertext, iv = excluded.iv,
         auth_tag = excluded.auth_tag, key_version = excluded.key_version, fingerprint = excluded.fingerprint, updated_at = now()`,
      [
        workspaceId,
        organizationId,
        baseUrl,
        [...new Set(input.models)],
        sealed.ciphertext,
        sealed.iv,
        sealed.authTag,
        KEY_VERSION,
        fingerprint(input.key),
        input.takesEffort,
      ],
    );
    return readAccount(tx, wrappingKey, organizationId, workspaceId);
  });
  deps.log.info({ ...placeOf(membership), fingerprint: fingerprint(input.key) }, 'models account saved');
  return state;
}

export async function removeModelsAccount(
  { db, log }: Pick<KeyDeps, 'db' | 'log'>,
  membership: Membership,
): Promise<ModelsAccountState> {
  await withLockedMembership(db, membership, async (tx, membership) => {
    requireAccountAuthority(membership);
    await tx.query('delete from :schema.models_account where workspace_id = $1', [membership.workspaceId]);
  });
  log.info(placeOf(membership), 'models account removed');
  return NONE;
}

export function requireAccountAuthority(membership: Membership): void {
  if (membership.workspaceKind === 'global') requireSettings(membership, 'API keys');
  else requireMutationAuthority(membership);
}

function placeOf({ userId, organizationId, workspaceId }: Membership): Required<MembershipLookup> {
  return { userId, organizationId, workspaceId };
}

async function readAccount(
  db: Queryable,
  wrappingKey: Buffer | undefined,
  organizationId: string,
  workspaceId: string,
): Promise<ModelsAccountState> {
  const { rows } = await db.query<AccountRow>(
    'select base_url, models, takes_effort, ciphertext, iv, auth_tag, fingerprint, updated_at from :schema.models_account where organization_id = $1 and workspace_id = $2',
    [organizationId, workspaceId],
  );
  const [row] = rows;
  if (!row) return NONE;
  const { status } = openKey(
    wrappingKey,
    { ciphertext: row.ciphertext, iv: row.iv, authTag: row.auth_tag },
    modelsAccountContext({ organizationId, workspaceId }),
  );
  return {
    configured: true,
    baseUrl: row.base_url,
    models: row.models,
    takesEffort: row.takes_effort,
    fingerprint: row.fingerprint,
    updatedAt: row.updated_at.toISOString(),
    ...(status === 'undecryptable' ? { undecryptable: true } : {}),
  };
}
