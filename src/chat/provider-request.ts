// Where a route leads and what is sent there. Same protocol on both sides: the client's own body with the model
// replaced. Otherwise through the neutral form. On platform credit both are bounded first: the hold is made of that.
import { AppError } from '../base/errors.ts';
import { type Bound, boundEmbedding, boundRequest, type BoundTarget, outputLimit } from '../providers/bounds/bound-request.ts';
import { refuseBetas } from '../providers/bounds/betas.ts';
import { leaveOutTools } from '../providers/bounds/leave-out-tools.ts';
import { refuseUrls } from '../providers/bounds/refuse-urls.ts';
import type { UpstreamRequest } from '../providers/call-upstream.ts';
import { encodeChatRequest } from '../providers/codecs/chat/encode-request.ts';
import { encodeMessagesRequest } from '../providers/codecs/messages/encode-request.ts';
import type { NeutralRequest, Protocol } from '../providers/codecs/neutral.ts';
import { toPassThroughBody } from '../providers/codecs/pass-through.ts';
import { PROTOCOLS } from '../providers/codecs/protocols.ts';
import type { Loose } from '../providers/codecs/read-fields.ts';
import { encodeResponsesRequest } from '../providers/codecs/responses/encode-request.ts';
import { refuseTooMany } from '../providers/codecs/refuse-too-many.ts';
import { isProviderId, PROVIDERS, type ProviderUrls } from '../providers/providers.ts';
import type { Route } from './decide-turn.ts';
import { ACCOUNT_TRAITS, anthropicTraits, openAiTraits } from './model-traits.ts';
import { toolsNeedResponses } from './tools-need-responses.ts';

export interface ProviderRequest {
  /** The protocol that the provider answers in. */
  readonly protocol: Protocol;
  /** Whether that is the client's own. */
  readonly passThrough: boolean;
  readonly upstream: UpstreamRequest;
  /** On platform credit: the most that the provider can charge for. */
  readonly bound?: Bound;
  /** Tools that were not sent, by type. */
  readonly leftOut?: readonly string[];
}

/** What a client of a surface sent, or a request of our own that is already neutral. */
export type Said = { readonly surface: Protocol; readonly body: Loose; readonly betas: readonly string[] } | { readonly surface: undefined; readonly request: NeutralRequest };

const DEFAULT_MAX_TOKENS = 8_192;

export function buildProviderRequest(route: Route, said: Said, urls: ProviderUrls): ProviderRequest {
  const protocol = protocolOf(route, said);
  const passThrough = said.surface === protocol;
  if (route.credential.kind === 'platform') return buildBounded(route, protocol, said, urls);
  const body = passThrough && said.surface !== undefined ? toPassThroughBody(protocol, said.body, route.upstreamModel) : encode(route, protocol, neutralOf(said));
  return { protocol, passThrough, upstream: addressed(route, protocolPath(protocol), JSON.stringify(body), urls, betasOf(protocol, said)) };
}

/** Anthropic's switches for what is not yet in its protocol. They mean nothing to anybody else, nor to a translated body. */
function betasOf(protocol: Protocol, said: Said): readonly string[] {
  return protocol === 'messages' && said.surface === 'messages' ? said.betas : [];
}

function buildBounded(route: Route, protocol: Protocol, said: Said, urls: ProviderUrls): ProviderRequest {
  const target = boundTarget(route);
  const passThrough = said.surface === protocol;
  const betas = betasOf(protocol, said);
  refuseBetas(betas);
  const { leftOut, ...rest } = said.surface === undefined ? { ...said, leftOut: [] } : { ...said, ...leaveOutTools(said.surface, said.body) };
  const body = passThrough && rest.surface !== undefined ? toPassThroughBody(protocol, rest.body, route.upstreamModel) : encode(route, protocol, limited(neutralOf(rest), target));
  const { json, bound } = boundRequest(protocol, body, target);
  return { protocol, passThrough, upstream: addressed(route, protocolPath(protocol), json, urls, betas), bound, leftOut };
}

/** Translation needs to know the limit: how much a model may think depends on it. */
function limited(request: NeutralRequest, target: BoundTarget): NeutralRequest {
  refuseUrls(request);
  return { ...request, maxOutputTokens: outputLimit(request.maxOutputTokens, target) };
}

function boundTarget({ provider, upstreamModel, model, declared }: Route): BoundTarget {
  if (!declared?.price) throw new AppError('model_not_routable', { model: model.id });
  return { provider, model: upstreamModel, contextWindow: model.contextWindow, maxOutputTokens: model.maxOutputTokens, price: declared.price };
}

/** Embeddings have one shape everywhere: OpenAI's. */
export function buildEmbeddingRequest(route: Route, body: Loose, urls: ProviderUrls): ProviderRequest {
  const named = { ...body, model: route.upstreamModel };
  const { json, bound } = route.credential.kind === 'platform' ? boundEmbedding(named, boundTarget(route)) : { json: JSON.stringify(named) };
  return { protocol: 'chat', passThrough: true, upstream: addressed(route, '/v1/embeddings', json, urls), ...(bound ? { bound } : {}) };
}

/** Anthropic's own count of a Messages body. */
export function buildCountRequest(route: Route, { body, betas }: { readonly body: Loose; readonly betas: readonly string[] }, urls: ProviderUrls): ProviderRequest {
  return { protocol: 'messages', passThrough: true, upstream: addressed(route, `${protocolPath('messages')}/count_tokens`, JSON.stringify({ ...body, model: route.upstreamModel }), urls, betas) };
}

function protocolOf({ provider, credential, upstreamModel }: Route, said: Said): Protocol {
  if (credential.kind === 'models-account') return 'chat';
  if (provider === 'anthropic') return 'messages';
  return said.surface === 'responses' || toolsNeedResponses(upstreamModel, said) ? 'responses' : 'chat';
}

const protocolPath = (protocol: Protocol): string => PROTOCOLS[protocol].path;

function neutralOf(said: Said): NeutralRequest {
  if (said.surface === undefined) return said.request;
  refuseTooMany(said.surface, said.body);
  return PROTOCOLS[said.surface].decodeRequest(said.body);
}

function encode(route: Route, protocol: Protocol, request: NeutralRequest): Loose {
  const model = route.upstreamModel;
  if (protocol === 'messages') return encodeMessagesRequest(request, { model, defaultMaxTokens: Math.min(DEFAULT_MAX_TOKENS, route.model.maxOutputTokens), ...anthropicTraits(model) });
  if (route.credential.kind === 'models-account') return encodeChatRequest(request, { model, maxTokensField: 'max_tokens', ...ACCOUNT_TRAITS });
  if (protocol === 'responses') return encodeResponsesRequest(request, { model, ...openAiTraits(model) });
  return encodeChatRequest(request, { model, maxTokensField: 'max_completion_tokens', ...openAiTraits(model) });
}

function addressed({ provider, credential }: Route, path: string, body: string, urls: ProviderUrls, betas: readonly string[] = []): UpstreamRequest {
  const json = { 'content-type': 'application/json', 'accept-encoding': 'identity', 'user-agent': 'service' };
  if (credential.kind === 'models-account') {
    // The account's base URL includes /v1.
    return { url: `${credential.baseUrl}${path.slice('/v1'.length)}`, headers: { ...json, authorization: `Bearer ${credential.key}` }, body };
  }
  if (!isProviderId(provider)) throw new Error(`no address for the provider ${provider}`);
  return { url: `${urls[provider]}${path}`, headers: { ...json, ...PROVIDERS[provider].authorize(credential.key), ...(betas.length > 0 ? { 'anthropic-beta': betas.join(',') } : {}) }, body };
}
