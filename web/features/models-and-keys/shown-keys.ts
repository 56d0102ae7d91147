import type { ProviderKeyState } from '../../../src/contract/provider-keys.ts';

/** Their keys, once stored through the API, are used like any other; they have no card. */
const HIDDEN_PROVIDERS: ReadonlySet<string> = new Set(['anthropic']);

/** Of the providers that chat can run on a key of, those that the pages of keys show. */
export function shownKeys(keys: readonly ProviderKeyState[]): ProviderKeyState[] {
  return keys.filter(({ provider, executable }) => executable && !HIDDEN_PROVIDERS.has(provider));
}
