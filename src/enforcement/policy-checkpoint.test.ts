import { describe, expect, it } from 'vitest';
import { checkPolicy, type PolicyModel, type PolicySettings } from './policy-checkpoint.ts';

const open: PolicySettings = { disabledProviders: [], disabledModels: [], requireZdr: false, enforceStudyMode: false };
const single: PolicyModel = { id: 'gpt', providers: [{ provider: 'openai', zdr: false, names: ['gpt'] }] };
const both: PolicyModel = {
  id: 'service/auto',
  providers: [
    { provider: 'openai', zdr: false, names: ['gpt', 'openai/gpt'] },
    { provider: 'anthropic', zdr: true, names: ['claude', 'anthropic/claude'] },
  ],
};
const never = (): boolean => false;

describe('the policy checkpoint', () => {
  it.each([
    ['allows an ordinary request', open, single, never, { outcome: 'allowed', providers: ['openai'] }],
    [
      'denies a disabled provider',
      { ...open, disabledProviders: ['openai'] },
      single,
      never,
      { outcome: 'denied', denials: ['policy_denied:provider'] },
    ],
    [
      'denies a disabled model',
      { ...open, disabledModels: ['gpt'] },
      single,
      never,
      { outcome: 'denied', denials: ['policy_denied:model'] },
    ],
    [
      'denies a model without zero data retention where it is required',
      { ...open, requireZdr: true },
      single,
      never,
      { outcome: 'denied', denials: ['policy_denied:compliance'] },
    ],
    [
      'names every reason that applies, in order',
      { ...open, disabledProviders: ['openai'], disabledModels: ['gpt'], requireZdr: true },
      single,
      never,
      { outcome: 'denied', denials: ['policy_denied:provider', 'policy_denied:model', 'policy_denied:compliance'] },
    ],
    [
      'skips zero data retention for a provider with an own key',
      { ...open, requireZdr: true },
      single,
      (p: string) => p === 'openai',
      { outcome: 'allowed', providers: ['openai'] },
    ],
    [
      'and only for that provider',
      { ...open, requireZdr: true },
      single,
      (p: string) => p === 'anthropic',
      { outcome: 'denied', denials: ['policy_denied:compliance'] },
    ],
    [
      'keeps the compliant provider of a model that has two',
      { ...open, requireZdr: true },
      both,
      never,
      { outcome: 'allowed', providers: ['anthropic'] },
    ],
    [
      'keeps the enabled provider of a model that has two',
      { ...open, disabledProviders: ['anthropic'] },
      both,
      never,
      { outcome: 'allowed', providers: ['openai'] },
    ],
    [
      'does not count a disabled provider as compliant',
      { ...open, disabledProviders: ['anthropic'], requireZdr: true },
      both,
      never,
      { outcome: 'denied', denials: ['policy_denied:compliance'] },
    ],
    [
      'skips a provider where a disabled model would be called',
      { ...open, disabledModels: ['openai/gpt'] },
      both,
      never,
      { outcome: 'allowed', providers: ['anthropic'] },
    ],
    [
      'denies a model that would only call disabled ones',
      { ...open, disabledModels: ['openai/gpt', 'claude'] },
      both,
      never,
      { outcome: 'denied', denials: ['policy_denied:model'] },
    ],
    [
      'does not count a disabled model as compliant',
      { ...open, disabledModels: ['claude'], requireZdr: true },
      both,
      never,
      { outcome: 'denied', denials: ['policy_denied:compliance'] },
    ],
    [
      'denies where one provider is disabled and the model of the other',
      { ...open, disabledProviders: ['anthropic'], disabledModels: ['gpt'] },
      both,
      never,
      { outcome: 'denied', denials: ['policy_denied:model'] },
    ],
    [
      'leaves a model alone when only one that would call it is disabled',
      { ...open, disabledModels: ['service/auto'] },
      single,
      never,
      { outcome: 'allowed', providers: ['openai'] },
    ],
  ] as const)('%s', (_name, policy, model, bypass, expected) => {
    expect(checkPolicy(policy, model, bypass)).toEqual(expected);
  });
});
