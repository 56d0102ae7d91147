// Builds the provider request for a route. If client and provider use the same protocol, the client's own body is sent
// with the model replaced; otherwise it is translated. On platform credit the body is bounded first, because the hold is
// computed from that bound.
import { AppError } from '../base/errors.ts';
import { needsResponses, traitsAt } from '../catalog/model-catalog.ts';
import type { ModelTraits } from '../catalog/model-traits.ts';
import {
  type Bound,
  boundEmbedding,
  boundRequest,
  type BoundTarget,
  outputLimit,
  refuseBetas,
  refuseThread,
  refuseUrls,
} from '../model-providers/bounds/bound-request.ts';
import { leaveOutTools } from '../model-providers/bounds/leave-out-tools.ts';
import type { UpstreamRequest } from '../model-providers/call-upstream.ts';
import type { Target } from '../model-providers/codecs/fields/cells.ts';
import { EFFORTS } from '../contract/models.ts';
import { keepNothing, refuseKept, type UnkeptBody } from '../model-providers/codecs/keep-nothing.ts';
import type { NeutralRequest, NeutralTool, Protocol } from '../model-providers/codecs/neutral.ts';
import { toPassThroughBody } from '../model-providers/codecs/pass-through.ts';
import { PROTOCOLS } from '../model-providers/codecs/protocols.ts';
import { isObject, type Loose } from '../model-providers/codecs/read-fields.ts';
import { toUnstoredBody } from '../model-providers/codecs/responses/unstored-body.ts';
import { isProviderId, PROVIDERS, type ProviderUrls } from '../model-providers/providers.ts';
import type { Route } from './decide-turn.ts';
import { doesReason } from './does-reason.ts';
import { type SourceRequest, type TranslatedBody, translateRequest } from './translate-request.ts';

export interface ProviderRequest {
  /** The protocol that the provider answers in. */
  readonly protocol: Protocol;
  /** Whether that is also the client's. */
  readonly passThrough: boolean;
  readonly upstream: UpstreamRequest;
  /** On platform credit: the most the provider can charge for. */
  readonly bound?: Bound;
  /** On platform credit: whether the model thinks before it answers. */
  readonly reasons?: boolean;
  /** Tools, by type, and fields that were not sent. */
  readonly leftOut?: readonly string[];
  /** Tools that the provider sees under another name, or as another kind, than the client. */
  readonly tools?: readonly NeutralTool[] | undefined;
}

export function buildProviderRequest(route: Route, source: SourceRequest, urls: ProviderUrls): ProviderRequest {
  const passThrough = source.surface !== undefined && passesThrough(route, source.surface, source.body);
  if (route.credential.kind === 'platform') return buildBounded(route, source, passThrough, urls);
  const { leftOut: tools, rest } = passThrough ? { leftOut: [], rest: source } : withoutTools(source, 'protocol');
  const { protocol, body, leftOut, mapped } = bodyFor(route, rest, passThrough, (request) => request);
  const betas = betasOf(protocol, source);
  if (route.requireZdr) {
    refuseKept(protocol, body);
    refuseBetas(betas, 'under Require ZDR');
  }
  const sent = route.requireZdr ? unkept(route, protocol, body) : { body, leftOut: [] };
  return {
    protocol,
    passThrough,
    upstream: withBetas(addressed(route, urls, protocolPath(protocol), JSON.stringify(sent.body)), betas),
    leftOut: [...tools, ...leftOut, ...sent.leftOut],
    tools: mapped,
  };
}

/** The body by which the provider keeps nothing. */
function unkept(route: Route, protocol: Protocol, given: Loose): UnkeptBody {
  const { body, leftOut } = keepNothing(protocol, given);
  if (protocol !== 'responses') return { body, leftOut };
  return { body: toUnstoredBody(body, { reasoning: traitsOf(route).efforts.length > 0 }), leftOut };
}

function withoutTools(
  source: SourceRequest,
  reason: 'cost' | 'protocol',
): { readonly leftOut: readonly string[]; readonly rest: SourceRequest } {
  if (source.surface === undefined) return { leftOut: [], rest: source };
  const { body, leftOut } = leaveOutTools(source.surface, source.body, reason);
  return { leftOut, rest: { ...source, body } };
}

/** The client's own body if the provider takes it as it is, otherwise a translation. */
function bodyFor(
  route: Route,
  source: SourceRequest,
  passThrough: boolean,
  adjust: (request: NeutralRequest) => NeutralRequest,
): TranslatedBody {
  const { surface } = source;
  if (surface !== undefined && passThrough) {
    const renamesLimit =
      route.credential.kind !== 'models-account' && traitsOf(route).outputLimit === 'max_completion_tokens';
    return {
      protocol: surface,
      body: toPassThroughBody(surface, source.body, {
        model: route.upstreamModel,
        renamesLimit,
        target: targetOf(route),
      }),
      leftOut: [],
    };
  }
  return translateRequest(source, { route, traits: traitsOf(route), target: targetOf(route), adjust });
}

/** Anthropic's beta switches mean nothing to other providers or in a translated body. */
function betasOf(protocol: Protocol, source: SourceRequest): readonly string[] {
  return protocol === 'messages' && source.surface === 'messages' ? source.betas : [];
}

function buildBounded(route: Route, source: SourceRequest, passThrough: boolean, urls: ProviderUrls): ProviderRequest {
  const target = boundTarget(route);
  const { leftOut: tools, rest } = withoutTools(source, passThrough ? 'cost' : 'protocol');
  const { protocol, body, leftOut, mapped } = bodyFor(route, rest, passThrough, (request) => limited(request, target));
  const betas = betasOf(protocol, source);
  if (source.surface === 'messages') refuseThread(source.body);
  refuseBetas(betas, 'on platform credit');
  const sent = unkept(route, protocol, body);
  const { json, bound } = boundRequest(protocol, sent.body, target);
  return {
    protocol,
    passThrough,
    upstream: withBetas(addressed(route, urls, protocolPath(protocol), json), betas),
    bound,
    reasons: doesReason(protocol, sent.body, traitsOf(route)),
    leftOut: [...tools, ...leftOut, ...sent.leftOut],
    tools: mapped,
  };
}

/** The limit is set before translation: how much a model may think depends on it. */
function limited(request: NeutralRequest, target: BoundTarget): NeutralRequest {
  refuseUrls(request);
  return { ...request, maxOutputTokens: outputLimit(request.maxOutputTokens, target) };
}

function boundTarget({ provider, upstreamModel, model, declared }: Route): BoundTarget {
  if (!declared?.price) throw new AppError('model_not_routable', { model: model.id });
  return {
    provider,
    model: upstreamModel,
    contextWindow: model.contextWindow,
    maxOutputTokens: model.maxOutputTokens,
    price: declared.price,
  };
}

/** Every provider uses OpenAI's shape for embeddings. */
export function buildEmbeddingRequest(route: Route, body: Loose, urls: ProviderUrls): ProviderRequest {
  const named = { ...body, model: route.upstreamModel };
  const { json, bound } =
    route.credential.kind === 'platform' ? boundEmbedding(named, boundTarget(route)) : { json: JSON.stringify(named) };
  return {
    protocol: 'chat',
    passThrough: true,
    upstream: addressed(route, urls, '/v1/embeddings', json),
    ...(bound ? { bound } : {}),
  };
}

/** Anthropic's own count of a Messages body. */
export function buildCountRequest(
  route: Route,
  { body, betas }: { readonly body: Loose; readonly betas: readonly string[] },
  urls: ProviderUrls,
): ProviderRequest {
  return {
    protocol: 'messages',
    passThrough: true,
    upstream: withBetas(
      addressed(
        route,
        urls,
        `${protocolPath('messages')}/count_tokens`,
        JSON.stringify(toPassThroughBody('messages', body, { model: route.upstreamModel, target: 'anthropic' })),
      ),
      betas,
    ),
  };
}

/** Whether the client uses the protocol of the route's provider. */
function passesThrough(route: Route, surface: Protocol, body: Loose): boolean {
  if (route.credential.kind === 'models-account') return surface === 'chat';
  if (route.provider === 'anthropic') return surface === 'messages';
  return surface === 'responses' || (surface === 'chat' && !isForResponses(route, body));
}

/** Whether a Chat Completions body has to go to the Responses API, because the model takes it only there. */
function isForResponses(route: Route, { tools, reasoning_effort: asked }: Loose): boolean {
  const functions = Array.isArray(tools) && tools.length > 0;
  if (functions && !tools.every((tool) => isObject(tool) && tool['type'] === 'function')) return false;
  return needsResponses(traitsOf(route), { tools: functions, effort: EFFORTS.find((effort) => effort === asked) });
}

const protocolPath = (protocol: Protocol): string => PROTOCOLS[protocol].path;

export function traitsOf({ model, provider, credential }: Route): ModelTraits {
  return traitsAt(model, provider, credential.kind === 'models-account' ? credential : undefined);
}

/** Which column of the field tables applies. */
function targetOf({ provider, credential }: Route): Target {
  if (credential.kind === 'models-account') return 'account';
  return provider === 'anthropic' ? 'anthropic' : 'openai';
}

function withBetas(upstream: UpstreamRequest, betas: readonly string[]): UpstreamRequest {
  if (betas.length === 0) return upstream;
  return { ...upstream, headers: { ...upstream.headers, 'anthropic-beta': betas.join(',') } };
}

function addressed({ provider, credential }: Route, urls: ProviderUrls, path: string, body: string): UpstreamRequest {
  const json = { 'content-type': 'application/json', 'accept-encoding': 'identity', 'user-agent': 'service' };
  if (credential.kind === 'models-account') {
    // The account's base URL includes /v1.
    return {
      url: `${credential.baseUrl}${path.slice('/v1'.length)}`,
      headers: { ...json, authorization: `Bearer ${credential.key}` },
      body,
    };
  }
  if (!isProviderId(provider)) throw new Error(`provider ${provider} has no URL`);
  return {
    url: `${urls[provider]}${path}`,
    headers: { ...json, ...PROVIDERS[provider].authorize(credential.key) },
    body,
  };
}
