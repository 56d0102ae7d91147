// Predicts which requests a stored key will pay for: the decisions of resolve-credential.ts, seen from the key. The
// test keeps the two consistent.
import type { KeyUse, KeyUser, UnusedReason } from '../contract/key-use.ts';
import type { ProviderKeySummary } from '../contract/policy.ts';
import { findProvider, isProviderId } from '../model-providers/providers.ts';
import type { Queryable } from '../store/database.ts';
import type { Membership, WorkspaceKind } from '../tenancy/members/membership.ts';

/** The facts that decide how the keys of a scope are used. */
export interface KeyUseFacts {
  readonly kind: WorkspaceKind;
  /** `CHAT_REQUIRE_BYOK`. */
  readonly strict: boolean;
  readonly summary: ProviderKeySummary | null;
  readonly inheritOrganizationKeys: boolean;
  readonly disabledProviders: readonly string[];
  /** Of the workspace or of the organization. */
  readonly hasModelsAccount: boolean;
}

export interface StoredKeyFacts {
  readonly provider: string;
  readonly isUndecryptable: boolean;
}

interface FactsRow extends Record<string, unknown> {
  provider_key_summary: ProviderKeySummary | null;
  inherit_organization_keys: boolean | null;
  disabled_providers: string[] | null;
  has_models_account: boolean;
}

export async function readKeyUseFacts(
  db: Queryable,
  { organizationId, workspaceId, workspaceKind }: Pick<Membership, 'organizationId' | 'workspaceId' | 'workspaceKind'>,
  strict: boolean,
): Promise<KeyUseFacts> {
  const { rows } = await db.query<FactsRow>(
    `select p.provider_key_summary, p.inherit_organization_keys, p.disabled_providers,
            exists (select 1 from :schema.models_account a join :schema.workspace w on w.id = a.workspace_id
                     where a.organization_id = $1 and (a.workspace_id = $2 or w.kind = 'global')) as has_models_account
       from (select 1) one left join :schema.org_policy p on p.organization_id = $1`,
    [organizationId, workspaceId],
  );
  const [row] = rows;
  return {
    kind: workspaceKind,
    strict,
    summary: row?.provider_key_summary ?? null,
    inheritOrganizationKeys: row?.inherit_organization_keys ?? false,
    disabledProviders: row?.disabled_providers ?? [],
    hasModelsAccount: row?.has_models_account ?? false,
  };
}

export function findKeyUse(facts: KeyUseFacts, key: StoredKeyFacts): KeyUse {
  const unused = findUnusedReason(facts, key);
  if (unused !== undefined) return { by: [], unused };
  return {
    by: facts.kind === 'global' ? usersOfOrganization(facts, key.provider) : usersOfWorkspace(facts, key.provider),
    ...(facts.hasModelsAccount ? { behindModelsAccount: true } : {}),
  };
}

function findUnusedReason(
  { summary, disabledProviders }: KeyUseFacts,
  { provider, isUndecryptable }: StoredKeyFacts,
): UnusedReason | undefined {
  if (!isProviderId(provider)) return 'provider_not_callable';
  if (disabledProviders.includes(provider)) return 'provider_disabled';
  if (summary !== null && !summary[provider]) return 'organization_has_no_key';
  return isUndecryptable ? 'undecryptable' : undefined;
}

function usersOfOrganization({ strict, inheritOrganizationKeys }: KeyUseFacts, provider: string): KeyUser[] {
  return [
    ...(inheritOrganizationKeys ? (['inheriting_chat'] as const) : []),
    // In strict mode a turn without a workspace reads the organization's keys, not Default's.
    ...(strict ? (['unplaced_chat'] as const) : []),
    ...(findProvider(provider)?.runsAgents ? (['runs'] as const) : []),
    ...(findProvider(provider)?.embeds ? (['attachments'] as const) : []),
    // A title reads the organization's keys after a turn on platform credit, which does not exist in strict mode.
    ...(strict ? [] : (['titles'] as const)),
    'global_requests',
  ];
}

function usersOfWorkspace({ kind, strict }: KeyUseFacts, provider: string): KeyUser[] {
  return [
    kind === 'default' && strict ? 'named_chat' : 'workspace_chat',
    ...(findProvider(provider)?.runsAgents ? (['funded_runs'] as const) : []),
  ];
}
