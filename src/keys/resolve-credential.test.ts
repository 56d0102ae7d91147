import { describe, expect, it } from 'vitest';
import type { ProviderKeySummary } from '../contract/policy.ts';
import { type KeyLookup, type Resolution, type ResolutionInput, resolveCredential } from './resolve-credential.ts';

const PROVIDER_LISTS = [['openai'], ['anthropic'], ['openai', 'anthropic'], ['google'], ['google', 'anthropic']];
const SUMMARIES: (ProviderKeySummary | null)[] = [
  null,
  ...[true, false].flatMap((openai) => [true, false].map((anthropic) => ({ openai, anthropic }))),
];
const LOOKUPS: KeyLookup[] = ['present', 'absent', 'undecryptable'];
const BOOLEANS = [true, false];

/** The specification once more, as a list of sentences, written apart from the code. */
function expected(input: ResolutionInput): Resolution {
  if (input.modelsAccountRoutes) return { credential: 'models-account' };
  const supported = input.providers.filter((p) => p === 'openai' || p === 'anthropic');
  if (input.strict && !input.hasOrganization)
    return { credential: 'none', reason: 'denied', denial: 'policy_denied:missing_org_context_for_provider_key' };
  if (input.strict && supported.length === 0)
    return {
      credential: 'none',
      reason: 'denied',
      denial: `policy_denied:provider_not_supported_by_byok:${input.providers[0]}`,
    };
  const shortCircuit = !input.strict && input.summary !== null && !input.summary.openai && !input.summary.anthropic;
  const tried = shortCircuit ? [] : supported.filter((p) => input.summary === null || input.summary[p]);
  const decisive = tried.find((p) => input.keyAtScope(p) !== 'absent');
  if (decisive)
    return input.keyAtScope(decisive) === 'present'
      ? { credential: 'own-key', provider: decisive }
      : { credential: 'none', reason: 'undecryptable', provider: decisive };
  if (input.strict)
    return { credential: 'none', reason: 'denied', denial: `policy_denied:missing_provider_api_key:${supported[0]}` };
  const provider = input.providers.find((p) => input.platformServes(p));
  return provider ? { credential: 'platform', provider } : { credential: 'none', reason: 'not-routable' };
}

function* everyInput(): Generator<{ label: string; input: ResolutionInput }> {
  for (const providers of PROVIDER_LISTS)
    for (const strict of BOOLEANS)
      for (const hasOrganization of BOOLEANS)
        for (const modelsAccountRoutes of BOOLEANS)
          for (const summary of SUMMARIES)
            for (const openai of LOOKUPS)
              for (const anthropic of LOOKUPS)
                for (const platform of [[], ['openai'], ['anthropic'], ['openai', 'anthropic']]) {
                  const input = {
                    providers,
                    strict,
                    hasOrganization,
                    modelsAccountRoutes,
                    summary,
                    keyAtScope: (p: string) => (p === 'openai' ? openai : anthropic),
                    platformServes: (p: string) => platform.includes(p),
                  };
                  yield { label: JSON.stringify({ ...input, openai, anthropic, platform }), input };
                }
}

describe('credential resolution', () => {
  it('agrees with the specification on its whole truth table', () => {
    let rows = 0;
    for (const { label, input } of everyInput()) {
      expect({ label, resolution: resolveCredential(input) }).toEqual({ label, resolution: expected(input) });
      rows++;
    }
    expect(rows).toBe(7_200);
  });

  const base: ResolutionInput = {
    providers: ['openai'],
    strict: false,
    hasOrganization: true,
    modelsAccountRoutes: false,
    summary: null,
    keyAtScope: () => 'present',
    platformServes: () => true,
  };

  it('short-circuits a workspace key when the summary was written and reports no key', () => {
    expect(resolveCredential({ ...base, summary: { openai: false, anthropic: false } })).toEqual({
      credential: 'platform',
      provider: 'openai',
    });
    expect(resolveCredential({ ...base, summary: null })).toEqual({ credential: 'own-key', provider: 'openai' });
  });

  it('lets a Models account win over everything, the short-circuit and strict mode included', () => {
    expect(
      resolveCredential({
        ...base,
        modelsAccountRoutes: true,
        strict: true,
        summary: { openai: false, anthropic: false },
      }),
    ).toEqual({ credential: 'models-account' });
  });

  it('never falls to platform credit from a key that cannot be decrypted', () => {
    expect(resolveCredential({ ...base, keyAtScope: () => 'undecryptable' })).toEqual({
      credential: 'none',
      reason: 'undecryptable',
      provider: 'openai',
    });
  });

  it('in strict mode still skips a provider that the summary marks unconfigured', () => {
    expect(resolveCredential({ ...base, strict: true, summary: { openai: false, anthropic: true } })).toEqual({
      credential: 'none',
      reason: 'denied',
      denial: 'policy_denied:missing_provider_api_key:openai',
    });
  });
});
