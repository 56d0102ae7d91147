import { expect, it } from 'vitest';
import { findProviderNames } from './find-provider-names.ts';

it('a provider is named only in its table', () => {
  const text = "if (provider === 'anthropic') return 1; // 'openai-compatible'";
  expect(findProviderNames([{ path: 'src/turns/a.ts', text }])).toEqual([
    "src/turns/a.ts names the provider 'anthropic': say in src/model-providers/providers.ts what differs, and ask it",
  ]);
  expect(findProviderNames([{ path: 'src/model-providers/providers.ts', text }])).toEqual([]);
  expect(findProviderNames([{ path: 'stand-ins/models/a.ts', text }])).toEqual([]);
});
