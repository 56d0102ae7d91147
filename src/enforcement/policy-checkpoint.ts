// The one checkpoint that every chat request passes before a provider is contacted: disabled providers, disabled
// models, Require ZDR, and the Study Mode pin. A model with several providers is refused only when none of them is
// left; those that are left are the only ones the request may be routed to.

export interface PolicySettings {
  readonly disabledProviders: readonly string[];
  readonly disabledModels: readonly string[];
  readonly requireZdr: boolean;
  readonly enforceStudyMode: boolean;
}

export interface PolicyModel {
  readonly id: string;
  readonly providers: readonly { readonly provider: string; readonly zdr: boolean }[];
}

/** Whether an executable key for the provider exists in the organization scope or in the turn's own. */
export type ZdrBypass = (provider: string) => boolean;

export const POLICY_DENIALS = {
  provider: 'policy_denied:provider',
  model: 'policy_denied:model',
  compliance: 'policy_denied:compliance',
} as const;

export type PolicyDenial = (typeof POLICY_DENIALS)[keyof typeof POLICY_DENIALS];

export type PolicyDecision =
  | { readonly outcome: 'allowed'; readonly providers: readonly string[] }
  | { readonly outcome: 'pinned' }
  | { readonly outcome: 'denied'; readonly denials: readonly PolicyDenial[] };

export function checkPolicy(policy: PolicySettings, model: PolicyModel, bypass: ZdrBypass): PolicyDecision {
  if (policy.enforceStudyMode) return { outcome: 'pinned' };

  const denials: PolicyDenial[] = [];
  const enabled = model.providers.filter(({ provider }) => !policy.disabledProviders.includes(provider));
  if (enabled.length === 0) denials.push(POLICY_DENIALS.provider);
  if (policy.disabledModels.includes(model.id)) denials.push(POLICY_DENIALS.model);

  // With every provider disabled, compliance is still judged on the declared ones: each reason that applies is named.
  const judged = enabled.length > 0 ? enabled : model.providers;
  const compliant = judged.filter(({ provider, zdr }) => !policy.requireZdr || zdr || bypass(provider));
  if (compliant.length === 0 && judged.length > 0) denials.push(POLICY_DENIALS.compliance);

  return denials.length > 0 ? { outcome: 'denied', denials } : { outcome: 'allowed', providers: compliant.map(({ provider }) => provider) };
}

