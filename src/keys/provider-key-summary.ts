// Which providers have a key in the organization scope. It is rewritten whenever a key of any scope is saved or
// removed, always from the organization scope: a key of a named workspace never shows in it.
import type { ProviderKeySummary } from '../contract/policy.ts';
import type { Transaction } from '../store/database.ts';
import { OWN_KEY_PROVIDERS, type OwnKeyProvider } from './resolve-credential.ts';

/** Call it under the organization's lock, so that two saves at once cannot each miss the other. */
export async function rewriteKeySummary(tx: Transaction, organizationId: string): Promise<ProviderKeySummary> {
  const { rows } = await tx.query<{ provider: string }>(
    `select k.provider from :schema.org_provider_api_key k join :schema.workspace w on w.id = k.workspace_id
      where k.organization_id = $1 and w.organization_id = $1 and w.kind = 'global'`,
    [organizationId],
  );
  const configured = new Set(rows.map(({ provider }) => provider));
  const summary = Object.fromEntries(
    OWN_KEY_PROVIDERS.map((provider) => [provider, configured.has(provider)]),
  ) as Record<OwnKeyProvider, boolean>;
  await tx.query(
    `insert into :schema.org_policy (organization_id, provider_key_summary) values ($1, $2)
     on conflict (organization_id) do update set provider_key_summary = excluded.provider_key_summary, updated_at = now()`,
    [organizationId, JSON.stringify(summary)],
  );
  return summary;
}
