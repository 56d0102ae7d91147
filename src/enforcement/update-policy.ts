// Partial updates of an organization's policy. Each field belongs to one area of the settings; a refusal names the area
// of the first field that the caller may not change.
import { AppError } from '../base/errors.ts';
import { isStorableJson, UNSTORABLE } from '../base/storable-json.ts';
import { findModel, type ModelCatalog } from '../catalog/model-catalog.ts';
import type { OrganizationPolicy } from '../contract/policy.ts';
import type { Database } from '../store/database.ts';
import { requireSettings, type SettingsArea } from '../tenancy/authority.ts';
import type { MembershipLookup } from '../tenancy/members/find-membership.ts';
import { withLockedMembership } from '../tenancy/members/get-membership.ts';
import { readPolicy } from './read-policy.ts';

type Settings = Omit<OrganizationPolicy, 'providerKeySummary'>;

/**
 * Omitted fields stay as they are. A list or map is replaced as a whole, except that each module is set individually.
 */
export type PolicyChange = { readonly [Field in keyof Omit<Settings, 'modules'>]?: Settings[Field] | undefined } & {
  readonly modules?:
    | { readonly [Module in keyof Settings['modules']]?: Settings['modules'][Module] | undefined }
    | undefined;
};

/** In the order in which a refusal names them. */
const AREA_OF = {
  requireZdr: 'compliance',
  enforceStudyMode: 'compliance',
  disabledProviders: 'models',
  disabledModels: 'models',
  requireProviderKey: 'models',
  allowUnlistedModels: 'models',
  toolSwitches: 'tools',
  modules: 'policies',
  disableSharing: 'policies',
  requireSecondFactor: 'members',
  inheritOrganizationKeys: 'API keys',
} as const satisfies Record<keyof Settings, SettingsArea>;

export function updatePolicy(
  db: Database,
  catalog: ModelCatalog,
  lookup: MembershipLookup,
  change: PolicyChange,
): Promise<OrganizationPolicy> {
  return withLockedMembership(db, lookup, async (tx, membership) => {
    requireSettings(membership, areaOf(change));
    if (!isStorableJson(change)) throw new AppError('invalid_request', { body: UNSTORABLE });
    const { providerKeySummary: _kept, ...before } = await readPolicy(tx, membership.organizationId);
    const after = applyChange(before, change, catalog);
    await tx.query(
      `insert into :schema.org_policy (organization_id, disabled_providers, disabled_models, require_zdr, enforce_study_mode, require_provider_key, inherit_organization_keys, tool_switches, modules, disable_sharing, allow_unlisted_models, require_second_factor)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
       on conflict (organization_id) do update set disabled_providers = excluded.disabled_providers, disabled_models = excluded.disabled_models,
         require_zdr = excluded.require_zdr, enforce_study_mode = excluded.enforce_study_mode, require_provider_key = excluded.require_provider_key,
         inherit_organization_keys = excluded.inherit_organization_keys, tool_switches = excluded.tool_switches, modules = excluded.modules, disable_sharing = excluded.disable_sharing,
         allow_unlisted_models = excluded.allow_unlisted_models, require_second_factor = excluded.require_second_factor, updated_at = now()`,
      [
        membership.organizationId,
        after.disabledProviders,
        after.disabledModels,
        after.requireZdr,
        after.enforceStudyMode,
        after.requireProviderKey,
        after.inheritOrganizationKeys,
        JSON.stringify(after.toolSwitches),
        JSON.stringify(after.modules),
        after.disableSharing,
        after.allowUnlistedModels,
        after.requireSecondFactor,
      ],
    );
    return readPolicy(tx, membership.organizationId);
  });
}

/** Also takes an unvalidated change: only its keys are read. */
export function areaOf(change: { readonly [Field in keyof Settings]?: unknown }): SettingsArea {
  const touched = (Object.keys(AREA_OF) as (keyof Settings)[]).find((field) => change[field] !== undefined);
  return touched === undefined ? 'policies' : AREA_OF[touched];
}

function applyChange(before: Settings, change: PolicyChange, catalog: ModelCatalog): Settings {
  const { modules, disabledModels, disabledProviders, ...rest } = change;
  const given = Object.fromEntries(
    Object.entries(rest).filter(([field, value]) => field in before && value !== undefined),
  ) as Partial<Settings>;
  return {
    ...before,
    ...given,
    disabledProviders: [...new Set(disabledProviders ?? before.disabledProviders)],
    // Requests are judged by a model's id, so a model given by another name is stored under its id.
    disabledModels: [
      ...new Set((disabledModels ?? before.disabledModels).map((name) => findModel(catalog, name)?.id ?? name)),
    ],
    modules: {
      ...before.modules,
      ...(modules &&
        (Object.fromEntries(Object.entries(modules).filter(([, rules]) => rules !== undefined)) as Partial<
          Settings['modules']
        >)),
    },
  };
}
