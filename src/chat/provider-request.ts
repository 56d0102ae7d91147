// Where a route leads and what is sent there. Same protocol on both sides: the client's own body with the model
// replaced. Otherwise through the neutral form.
import type { UpstreamRequest } from '../providers/call-upstream.ts';
import { encodeChatRequest } from '../providers/codecs/chat/encode-request.ts';
import { encodeMessagesRequest } from '../providers/codecs/messages/encode-request.ts';
import type { NeutralRequest, Protocol } from '../providers/codecs/neutral.ts';
import { toPassThroughBody } from '../providers/codecs/pass-through.ts';
import { PROTOCOLS } from '../providers/codecs/protocols.ts';
import type { Loose } from '../providers/codecs/read-fields.ts';
import { refuseUnbounded } from '../providers/codecs/unbounded-fields.ts';
import { isProviderId, PROVIDERS, type ProviderUrls } from '../providers/providers.ts';
import type { Route } from './decide-turn.ts';
import { ACCOUNT_TRAITS, anthropicTraits, openAiTraits } from './model-traits.ts';

export interface ProviderRequest {
  /** The protocol that the provider answers in. */
  readonly protocol: Protocol;
  /** Whether that is the client's own. */
  readonly passThrough: boolean;
  readonly upstream: UpstreamRequest;
}

/** What a client of a surface sent, or a request of our own that is already neutral. */
export type Said = { readonly surface: Protocol; readonly body: Loose } | { readonly surface: undefined; readonly request: NeutralRequest };

const DEFAULT_MAX_TOKENS = 8_192;

export function buildProviderRequest(route: Route, said: Said, urls: ProviderUrls): ProviderRequest {
  const protocol = protocolOf(route, said.surface);
  const passThrough = said.surface === protocol;
  if (passThrough && said.surface !== undefined && route.credential.kind === 'platform') refuseUnbounded(protocol, said.body);
  const body = passThrough && said.surface !== undefined ? toPassThroughBody(protocol, said.body, route.upstreamModel) : encode(route, protocol, neutralOf(said));
  return { protocol, passThrough, upstream: addressed(route, protocolPath(protocol), JSON.stringify(body), urls) };
}

/** Embeddings have one shape everywhere: OpenAI's. */
export function buildEmbeddingRequest(route: Route, body: Loose, urls: ProviderUrls): UpstreamRequest {
  return addressed(route, '/v1/embeddings', JSON.stringify({ ...body, model: route.upstreamModel }), urls);
}

/** Anthropic's own count of a Messages body. */
export function buildCountRequest(route: Route, body: Loose, urls: ProviderUrls): ProviderRequest {
  return { protocol: 'messages', passThrough: true, upstream: addressed(route, `${protocolPath('messages')}/count_tokens`, JSON.stringify({ ...body, model: route.upstreamModel }), urls) };
}

function protocolOf({ provider, credential }: Route, surface: Protocol | undefined): Protocol {
  if (credential.kind === 'models-account') return 'chat';
  if (provider === 'anthropic') return 'messages';
  return surface === 'responses' ? 'responses' : 'chat';
}

const protocolPath = (protocol: Protocol): string => PROTOCOLS[protocol].path;

function neutralOf(said: Said): NeutralRequest {
  return said.surface === undefined ? said.request : PROTOCOLS[said.surface].decodeRequest(said.body);
}

function encode(route: Route, protocol: Protocol, request: NeutralRequest): Loose {
  const model = route.upstreamModel;
  if (protocol === 'messages') return encodeMessagesRequest(request, { model, defaultMaxTokens: Math.min(DEFAULT_MAX_TOKENS, route.model.maxOutputTokens), ...anthropicTraits(model) });
  if (route.credential.kind === 'models-account') return encodeChatRequest(request, { model, maxTokensField: 'max_tokens', ...ACCOUNT_TRAITS });
  return encodeChatRequest(request, { model, maxTokensField: 'max_completion_tokens', ...openAiTraits(model) });
}

function addressed({ provider, credential }: Route, path: string, body: string, urls: ProviderUrls): UpstreamRequest {
  const json = { 'content-type': 'application/json', 'accept-encoding': 'identity', 'user-agent': 'service' };
  if (credential.kind === 'models-account') {
    // The account's base URL includes /v1.
    return { url: `${credential.baseUrl}${path.slice('/v1'.length)}`, headers: { ...json, authorization: `Bearer ${credential.key}` }, body };
  }
  if (!isProviderId(provider)) throw new Error(`no address for the provider ${provider}`);
  return { url: `${urls[provider]}${path}`, headers: { ...json, ...PROVIDERS[provider].authorize(credential.key) }, body };
}
