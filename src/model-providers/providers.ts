// The model providers that the service itself can call.
import type { Config } from '../base/config.ts';

interface ProviderRow {
  /** The display name. */
  readonly name: string;
  readonly keyPrefix: string;
  /** The variable that holds the origin of its API, without `/v1`. */
  readonly urlVariable: 'OPENAI_API_URL' | 'ANTHROPIC_API_URL';
  /** A request without side effects that succeeds with any valid key. */
  readonly probePath: string;
  readonly authorize: (key: string) => Readonly<Record<string, string>>;
}

export const PROVIDERS = {
  openai: {
    name: 'OpenAI',
    keyPrefix: 'sk-',
    urlVariable: 'OPENAI_API_URL',
    probePath: '/v1/models',
    authorize: (key) => ({ authorization: `Bearer ${key}` }),
  },
  anthropic: {
    name: 'Anthropic',
    keyPrefix: 'sk-ant-',
    urlVariable: 'ANTHROPIC_API_URL',
    probePath: '/v1/models?limit=1',
    authorize: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  },
} as const satisfies Record<string, ProviderRow>;

export type ProviderId = keyof typeof PROVIDERS;
export type ProviderUrls = Readonly<Record<ProviderId, string>>;

export const PROVIDER_IDS = Object.keys(PROVIDERS) as readonly ProviderId[];

export function isProviderId(provider: string): provider is ProviderId {
  return Object.hasOwn(PROVIDERS, provider);
}

export function providerUrls(config: Pick<Config, 'OPENAI_API_URL' | 'ANTHROPIC_API_URL'>): ProviderUrls {
  return { openai: config[PROVIDERS.openai.urlVariable], anthropic: config[PROVIDERS.anthropic.urlVariable] };
}

/** A provider that only the catalogue knows is named by its id. */
export function providerName(provider: string): string {
  return isProviderId(provider)
    ? PROVIDERS[provider].name
    : provider.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => `${dash && ' '}${letter.toUpperCase()}`);
}
