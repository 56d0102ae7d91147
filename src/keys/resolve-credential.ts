// Which credential pays for a model call. Pure: all inputs are passed in, and the full truth table is tested. The order
// is the specification's: Models account, short-circuit, own key at the scope, platform credit.
import type { ProviderKeySummary } from '../contract/policy.ts';
import { isProviderId, type ProviderId, providerIds } from '../model-providers/providers.ts';

export type KeyLookup = 'present' | 'absent' | 'undecryptable';

export interface ResolutionInput {
  /** The model's declared providers that the policy allows, in order. */
  readonly providers: readonly string[];
  /** `CHAT_REQUIRE_BYOK`. */
  readonly strict: boolean;
  readonly hasOrganization: boolean;
  /** A Models account of the request's workspace that can route the model. */
  readonly modelsAccountRoutes: boolean;
  /** Null if it has never been written; it is not trusted then. */
  readonly summary: ProviderKeySummary | null;
  /** The key at the request's scope or, with inheritance, the organization's if the scope has none. */
  readonly keyAtScope: (provider: ProviderId) => KeyLookup;
  /** Whether the deployment has its own key for the provider. */
  readonly platformServes: (provider: string) => boolean;
}

export type Resolution =
  | { readonly credential: 'models-account' }
  | { readonly credential: 'own-key'; readonly provider: ProviderId }
  | { readonly credential: 'platform'; readonly provider: string }
  | { readonly credential: 'none'; readonly reason: 'not-routable' }
  | { readonly credential: 'none'; readonly reason: 'undecryptable'; readonly provider: ProviderId }
  | { readonly credential: 'none'; readonly reason: 'denied'; readonly denial: StrictDenial };

type StrictDenial =
  | 'policy_denied:missing_org_context_for_provider_key'
  | `policy_denied:provider_not_supported_by_byok:${string}`
  | `policy_denied:missing_provider_api_key:${string}`;

export function resolveCredential(input: ResolutionInput): Resolution {
  if (input.modelsAccountRoutes) return { credential: 'models-account' };
  if (input.strict) return resolveStrictly(input);
  if (summaryReportsNoKey(input.summary)) return platformCredit(input);
  return findOwnKey(input) ?? platformCredit(input);
}

function resolveStrictly(input: ResolutionInput): Resolution {
  if (!input.hasOrganization) return denied('policy_denied:missing_org_context_for_provider_key');
  const [supported] = input.providers.filter(isProviderId);
  if (supported === undefined)
    return denied(`policy_denied:provider_not_supported_by_byok:${input.providers[0] ?? 'unknown'}`);
  return findOwnKey(input) ?? denied(`policy_denied:missing_provider_api_key:${supported}`);
}

/** The first candidate with a key wins. If its key cannot be decrypted, the turn fails; it is never skipped. */
function findOwnKey({ providers, summary, keyAtScope }: ResolutionInput): Resolution | undefined {
  for (const provider of providers.filter(isProviderId)) {
    if (summary !== null && !summary[provider]) continue;
    const found = keyAtScope(provider);
    if (found === 'present') return { credential: 'own-key', provider };
    if (found === 'undecryptable') return { credential: 'none', reason: 'undecryptable', provider };
  }
  return undefined;
}

function platformCredit({ providers, platformServes }: ResolutionInput): Resolution {
  const provider = providers.find(platformServes);
  return provider === undefined ? { credential: 'none', reason: 'not-routable' } : { credential: 'platform', provider };
}

function summaryReportsNoKey(summary: ProviderKeySummary | null): boolean {
  return summary !== null && providerIds().every((provider) => !summary[provider]);
}

function denied(denial: StrictDenial): Resolution {
  return { credential: 'none', reason: 'denied', denial };
}
