// The model providers that the service itself can call, and everything that differs between them. A name of one of them
// is written only here and in the tables that its row points to; the rest of the code asks the row.
import type { Config } from '../base/config.ts';
import type { Target } from './codecs/fields/cells.ts';
import type { Protocol } from './codecs/neutral.ts';

/** What is spoken with the server that answers. */
export interface Wire {
  /** Requests in one of these are passed on as they are; others are translated to the first, or to Responses if the model needs it. */
  readonly protocols: readonly [Protocol, ...Protocol[]];
  /** The column of the field tables. */
  readonly fields: Target;
}

export interface ProviderRow {
  /** The display name. */
  readonly name: string;
  readonly keyPrefix: string;
  /** The variable that holds the deployment's own key. */
  readonly keyVariable: 'OPENAI_API_KEY' | 'ANTHROPIC_API_KEY';
  /** The variable that holds the origin of its API, without `/v1`. */
  readonly urlVariable: 'OPENAI_API_URL' | 'ANTHROPIC_API_URL';
  /** A request without side effects that succeeds with any valid key. */
  readonly probePath: string;
  readonly authorize: (key: string) => Readonly<Record<string, string>>;
  readonly wire: Wire;
  readonly maxTemperature: number;
  /** Whether a summary of the reasoning is requested with it; OpenAI gives them to verified organizations only. */
  readonly summarizes: boolean;
  /** The protocol whose conversations it stores, so that ids unknown here may be known there. */
  readonly stores: Protocol;
  /** Whether it counts the tokens of a request without answering it. */
  readonly countsTokens: boolean;
  readonly embeds: boolean;
  /** Whether it has the surfaces that are passed on as they are. */
  readonly passes: boolean;
  /** Whether background runs can use its models. */
  readonly runsAgents: boolean;
  /** Names of its models, for those that no catalogue lists. */
  readonly modelNames: RegExp;
  /** Whether pages show its key; otherwise the key is saved through the API only. */
  readonly hasKeyCard: boolean;
}

export const PROVIDERS = {
  openai: {
    name: 'OpenAI',
    keyPrefix: 'sk-',
    keyVariable: 'OPENAI_API_KEY',
    urlVariable: 'OPENAI_API_URL',
    probePath: '/v1/models',
    authorize: (key) => ({ authorization: `Bearer ${key}` }),
    wire: { protocols: ['chat', 'responses'], fields: 'openai' },
    maxTemperature: 2,
    summarizes: false,
    stores: 'responses',
    countsTokens: false,
    embeds: true,
    passes: true,
    runsAgents: true,
    modelNames: /^(?:gpt-|chatgpt-|codex-|o\d)[a-z\d.-]{0,100}$/,
    hasKeyCard: true,
  },
  anthropic: {
    name: 'Anthropic',
    keyPrefix: 'sk-ant-',
    keyVariable: 'ANTHROPIC_API_KEY',
    urlVariable: 'ANTHROPIC_API_URL',
    probePath: '/v1/models?limit=1',
    authorize: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    wire: { protocols: ['messages'], fields: 'anthropic' },
    maxTemperature: 1,
    summarizes: true,
    stores: 'messages',
    countsTokens: true,
    embeds: false,
    passes: false,
    runsAgents: false,
    modelNames: /^claude-[a-z\d.-]{1,100}$/,
    hasKeyCard: false,
  },
} as const satisfies Record<string, ProviderRow>;

export type ProviderId = keyof typeof PROVIDERS;
export type ProviderUrls = Readonly<Record<ProviderId, string>>;

/** What a Models account takes, whatever it serves, by its protocol. */
export const ACCOUNT_WIRES = {
  chat: { protocols: ['chat'], fields: 'account' },
  responses: { protocols: ['responses'], fields: 'openai' },
  messages: { protocols: ['messages'], fields: 'anthropic' },
} as const satisfies Record<Protocol, Wire>;

export const providerIds = (): ProviderId[] => Object.keys(PROVIDERS) as ProviderId[];

export function isProviderId(provider: string): provider is ProviderId {
  return Object.hasOwn(PROVIDERS, provider);
}

/** Undefined for a provider that only the catalogue knows: its models are behind a Models account. */
export function findProvider(provider: string): ProviderRow | undefined {
  return isProviderId(provider) ? PROVIDERS[provider] : undefined;
}

/** The provider of a model that no catalogue lists, by its name, which may be prefixed with the provider. */
export function findProviderByName(
  name: string,
): { readonly provider: ProviderId; readonly model: string } | undefined {
  for (const provider of providerIds()) {
    const model = name.startsWith(`${provider}/`) ? name.slice(provider.length + 1) : name;
    if (PROVIDERS[provider].modelNames.test(model)) return { provider, model };
  }
  return undefined;
}

/** Where background runs can call a model, if anywhere. */
export function declaredForRuns<D extends { readonly provider: string }>({
  providers,
}: {
  readonly providers: readonly D[];
}): D | undefined {
  return providers.find(({ provider }) => findProvider(provider)?.runsAgents);
}

export function providerUrls(config: Pick<Config, ProviderRow['urlVariable']>): ProviderUrls {
  return forEachProvider(({ urlVariable }) => config[urlVariable]);
}

export function platformKeys(
  config: Pick<Config, ProviderRow['keyVariable']>,
): Readonly<Record<ProviderId, string | undefined>> {
  return forEachProvider(({ keyVariable }) => config[keyVariable]);
}

export const KEY_VARIABLES = Object.values(PROVIDERS).map(({ keyVariable }) => keyVariable);

function forEachProvider<T>(read: (row: ProviderRow) => T): Readonly<Record<ProviderId, T>> {
  return Object.fromEntries(providerIds().map((id) => [id, read(PROVIDERS[id])])) as Record<ProviderId, T>;
}

/** A provider that only the catalogue knows is named by its id. */
export function providerName(provider: string): string {
  return (
    findProvider(provider)?.name ??
    provider.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => `${dash && ' '}${letter.toUpperCase()}`)
  );
}
