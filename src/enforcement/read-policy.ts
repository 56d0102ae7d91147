import type { OrganizationPolicy, ProviderKeySummary } from '../contract/policy.ts';
import type { Queryable } from '../store/database.ts';

interface PolicyRow extends Record<string, unknown> {
  disabled_providers: string[];
  disabled_models: string[];
  require_zdr: boolean;
  enforce_study_mode: boolean;
  require_provider_key: boolean;
  inherit_organization_keys: boolean;
  disable_sharing: boolean;
  allow_unlisted_models: boolean;
  require_second_factor: boolean;
  tool_switches: OrganizationPolicy['toolSwitches'];
  modules: OrganizationPolicy['modules'];
  provider_key_summary: ProviderKeySummary | null;
}

/** The defaults of an organization that has never set anything. */
const FIRST_POLICY: OrganizationPolicy = {
  disabledProviders: [],
  disabledModels: [],
  requireZdr: false,
  enforceStudyMode: false,
  requireProviderKey: false,
  inheritOrganizationKeys: false,
  disableSharing: false,
  allowUnlistedModels: false,
  requireSecondFactor: false,
  toolSwitches: {},
  modules: { rateLimiting: {}, budgetLimiting: {}, loggingConfig: {}, toolApproval: {} },
  providerKeySummary: null,
};

export async function readPolicy(db: Queryable, organizationId: string): Promise<OrganizationPolicy> {
  const { rows } = await db.query<PolicyRow>(
    `select disabled_providers, disabled_models, require_zdr, enforce_study_mode, require_provider_key, inherit_organization_keys, disable_sharing, allow_unlisted_models, require_second_factor, tool_switches, modules, provider_key_summary
       from :schema.org_policy where organization_id = $1`,
    [organizationId],
  );
  const [row] = rows;
  if (!row) return FIRST_POLICY;
  return {
    disabledProviders: row.disabled_providers,
    disabledModels: row.disabled_models,
    requireZdr: row.require_zdr,
    enforceStudyMode: row.enforce_study_mode,
    requireProviderKey: row.require_provider_key,
    inheritOrganizationKeys: row.inherit_organization_keys,
    disableSharing: row.disable_sharing,
    allowUnlistedModels: row.allow_unlisted_models,
    requireSecondFactor: row.require_second_factor,
    toolSwitches: row.tool_switches,
    modules: row.modules,
    providerKeySummary: row.provider_key_summary,
  };
}
