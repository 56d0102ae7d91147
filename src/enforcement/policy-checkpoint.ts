// The one checkpoint that every chat request passes before a provider is contacted: disabled providers, disabled
// models, Require ZDR, and the Study Mode pin, which applies whatever was asked for. A model with several providers is
// refused only if none of them remains; the request may be routed only to those that do. A disabled model is disabled
// under every name, and also when a virtual model would call it.

export interface PolicySettings {
  readonly disabledProviders: readonly string[];
  readonly disabledModels: readonly string[];
  readonly requireZdr: boolean;
  readonly enforceStudyMode: boolean;
}

export interface PolicyModel {
  readonly id: string;
  readonly providers: readonly PolicyCandidate[];
}

interface PolicyCandidate {
  readonly provider: string;
  readonly zdr: boolean;
  /** The model that would be called there, under each of its names. */
  readonly names: readonly string[];
}

/** Whether a usable key for the provider exists in the organization scope or in the turn's own. */
export type ZdrBypass = (provider: string) => boolean;

const POLICY_DENIALS = {
  provider: 'policy_denied:provider',
  model: 'policy_denied:model',
  compliance: 'policy_denied:compliance',
} as const;

type PolicyDenial = (typeof POLICY_DENIALS)[keyof typeof POLICY_DENIALS];

export type PolicyDecision =
  | { readonly outcome: 'allowed'; readonly providers: readonly string[] }
  | { readonly outcome: 'denied'; readonly denials: readonly PolicyDenial[] };

/** Whether the model is pinned regardless of the request: decided before the catalogue is asked for what was named. */
export function isPinned(policy: Pick<PolicySettings, 'enforceStudyMode'>): boolean {
  return policy.enforceStudyMode;
}

export function checkPolicy(policy: PolicySettings, model: PolicyModel, bypass: ZdrBypass): PolicyDecision {
  const denials: PolicyDenial[] = [];
  const enabled = model.providers.filter(({ provider }) => !policy.disabledProviders.includes(provider));
  if (enabled.length === 0) denials.push(POLICY_DENIALS.provider);

  // If no provider remains, the other rules are still evaluated against the original list, so that every reason is
  // reported.
  const judged = enabled.length > 0 ? enabled : model.providers;
  const isDisabled = (name: string): boolean => policy.disabledModels.includes(name);
  const permitted = isDisabled(model.id) ? [] : judged.filter(({ names }) => !names.some(isDisabled));
  if (permitted.length === 0 && (judged.length > 0 || isDisabled(model.id))) denials.push(POLICY_DENIALS.model);

  const left = permitted.length > 0 ? permitted : judged;
  const compliant = left.filter(({ provider, zdr }) => !policy.requireZdr || zdr || bypass(provider));
  if (compliant.length === 0 && left.length > 0) denials.push(POLICY_DENIALS.compliance);

  return denials.length > 0
    ? { outcome: 'denied', denials }
    : { outcome: 'allowed', providers: compliant.map(({ provider }) => provider) };
}
