// Where a route leads and what is sent there. Same protocol on both sides: the client's own body with the model
// replaced. Otherwise through the neutral form, fitted to what the model takes. On platform credit both are bounded first: the hold is made of that.
import { AppError } from '../base/errors.ts';
import {
  type Bound,
  boundEmbedding,
  boundRequest,
  type BoundTarget,
  outputLimit,
} from '../providers/bounds/bound-request.ts';
import { refuseBetas } from '../providers/bounds/betas.ts';
import { leaveOutTools } from '../providers/bounds/leave-out-tools.ts';
import { refuseThread } from '../providers/bounds/refuse-thread.ts';
import { refuseUrls } from '../providers/bounds/refuse-urls.ts';
import type { UpstreamRequest } from '../providers/call-upstream.ts';
import { encodeChatRequest } from '../providers/codecs/chat/encode-request.ts';
import type { Target } from '../providers/codecs/fields/cells.ts';
import { encodeMessagesRequest } from '../providers/codecs/messages/encode-request.ts';
import { mappedTools, shortenNames } from '../providers/codecs/name-tools.ts';
import { EFFORTS, type NeutralRequest, type NeutralTool, type Protocol } from '../providers/codecs/neutral.ts';
import { toPassThroughBody } from '../providers/codecs/pass-through.ts';
import { PROTOCOLS } from '../providers/codecs/protocols.ts';
import { isObject, type Loose } from '../providers/codecs/read-fields.ts';
import { effortOf } from '../providers/codecs/reasoning-effort.ts';
import { refuseTooMany } from '../providers/codecs/refuse-too-many.ts';
import { encodeResponsesRequest } from '../providers/codecs/responses/encode-request.ts';
import { toUnstoredBody } from '../providers/codecs/responses/unstored-body.ts';
import { isProviderId, PROVIDERS, type ProviderUrls } from '../providers/providers.ts';
import type { Route } from './decide-turn.ts';
import { fitRequest, needsResponses } from './fit-request.ts';
import { traitsOf } from './traits-of.ts';

export interface ProviderRequest {
  /** The protocol that the provider answers in. */
  readonly protocol: Protocol;
  /** Whether that is the client's own. */
  readonly passThrough: boolean;
  readonly upstream: UpstreamRequest;
  /** On platform credit: the most that the provider can charge for. */
  readonly bound?: Bound;
  /** What was not sent: tools, by type, and fields. */
  readonly leftOut?: readonly string[];
  /** Tools that the provider knows under another name, or as another kind, than the client. */
  readonly tools?: readonly NeutralTool[] | undefined;
}

/** What a client of a surface sent, or a request of our own that is already neutral. */
export type Said =
  | { readonly surface: Protocol; readonly body: Loose; readonly betas: readonly string[] }
  | { readonly surface: undefined; readonly request: NeutralRequest };

/** Anthropic demands a limit where OpenAI's clients mostly send none. A coding agent, which streams, takes an answer that is cut off for a failure. */
const DEFAULT_MAX_TOKENS = { whole: 8_192, streamed: 32_000 } as const;

export function buildProviderRequest(route: Route, said: Said, urls: ProviderUrls): ProviderRequest {
  const passThrough = said.surface !== undefined && passesThrough(route, said.surface, said.body);
  if (route.credential.kind === 'platform') return buildBounded(route, said, passThrough, urls);
  const { leftOut: tools, rest } = passThrough ? { leftOut: [], rest: said } : withoutTools(said, 'protocol');
  const { protocol, body, leftOut, mapped } = bodyFor(route, rest, passThrough, (request) => request);
  return {
    protocol,
    passThrough,
    upstream: withBetas(addressed(route, urls, protocolPath(protocol), JSON.stringify(body)), betasOf(protocol, said)),
    leftOut: [...tools, ...leftOut],
    tools: mapped,
  };
}

function withoutTools(
  said: Said,
  reason: 'cost' | 'protocol',
): { readonly leftOut: readonly string[]; readonly rest: Said } {
  if (said.surface === undefined) return { leftOut: [], rest: said };
  const { body, leftOut } = leaveOutTools(said.surface, said.body, reason);
  return { leftOut, rest: { ...said, body } };
}

interface Body {
  readonly protocol: Protocol;
  readonly body: Loose;
  /** Fields that the model does not take. */
  readonly leftOut: readonly string[];
  readonly mapped?: ProviderRequest['tools'];
}

/** The client's own body where the provider takes it as it is; otherwise a translation of it. */
function bodyFor(
  route: Route,
  said: Said,
  passThrough: boolean,
  adjust: (request: NeutralRequest) => NeutralRequest,
): Body {
  const { surface } = said;
  if (surface !== undefined && passThrough) {
    const renamesLimit =
      route.credential.kind !== 'models-account' && traitsOf(route).outputLimit === 'max_completion_tokens';
    return {
      protocol: surface,
      body: toPassThroughBody(surface, said.body, {
        model: route.upstreamModel,
        renamesLimit,
        target: targetOf(route),
      }),
      leftOut: [],
    };
  }
  const asked = shortenNames(adjust(neutralOf(said, targetOf(route))));
  const protocol = protocolFor(route, asked);
  const { request, leftOut } = fitRequest(asked, traitsOf(route), protocol);
  const body = encode(route, protocol, request);
  return {
    protocol,
    body: surface === 'chat' && protocol === 'responses' ? withShared(body, said.body) : body,
    leftOut,
    mapped: mappedTools(request.tools),
  };
}

/** Fields that OpenAI's two interfaces share and nobody else has. */
const SHARED = ['metadata', 'prompt_cache_key', 'prompt_cache_retention', 'service_tier'] as const;

function withShared(body: Loose, said: Loose): Loose {
  const shared = Object.fromEntries(
    SHARED.flatMap((field) => (said[field] === undefined ? [] : [[field, said[field]]])),
  );
  const text =
    said['verbosity'] === undefined
      ? {}
      : { text: { ...(isObject(body['text']) ? body['text'] : {}), verbosity: said['verbosity'] } };
  return { ...body, ...shared, ...text };
}

/** Anthropic's switches for what is not yet in its protocol. They mean nothing to anybody else, nor to a translated body. */
function betasOf(protocol: Protocol, said: Said): readonly string[] {
  return protocol === 'messages' && said.surface === 'messages' ? said.betas : [];
}

function buildBounded(route: Route, said: Said, passThrough: boolean, urls: ProviderUrls): ProviderRequest {
  const target = boundTarget(route);
  const { leftOut: tools, rest } = withoutTools(said, passThrough ? 'cost' : 'protocol');
  const { protocol, body, leftOut, mapped } = bodyFor(route, rest, passThrough, (request) => limited(request, target));
  const betas = betasOf(protocol, said);
  if (said.surface === 'messages') refuseThread(said.body);
  refuseBetas(betas);
  const sent =
    protocol === 'responses' ? toUnstoredBody(body, { reasoning: traitsOf(route).efforts.length > 0 }) : body;
  const { json, bound } = boundRequest(protocol, sent, target);
  return {
    protocol,
    passThrough,
    upstream: withBetas(addressed(route, urls, protocolPath(protocol), json), betas),
    bound,
    leftOut: [...tools, ...leftOut],
    tools: mapped,
  };
}

/** Translation needs to know the limit: how much a model may think depends on it. */
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

/** Embeddings have one shape everywhere: OpenAI's. */
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

/** Whether the client speaks the protocol of what the route leads to. */
function passesThrough(route: Route, surface: Protocol, body: Loose): boolean {
  if (route.credential.kind === 'models-account') return surface === 'chat';
  if (route.provider === 'anthropic') return surface === 'messages';
  return surface === 'responses' || (surface === 'chat' && !isForResponses(route, body));
}

/** A body of Chat Completions that the model takes on the other interface only. */
function isForResponses(route: Route, { tools, reasoning_effort: asked }: Loose): boolean {
  const functions = Array.isArray(tools) && tools.length > 0;
  if (functions && !tools.every((tool) => isObject(tool) && tool['type'] === 'function')) return false;
  return needsResponses(traitsOf(route), { tools: functions, effort: EFFORTS.find((effort) => effort === asked) });
}

function protocolFor(route: Route, { tools, reasoning }: NeutralRequest): Protocol {
  if (route.credential.kind === 'models-account') return 'chat';
  if (route.provider === 'anthropic') return 'messages';
  return needsResponses(traitsOf(route), { tools: tools.length > 0, effort: effortOf(reasoning) })
    ? 'responses'
    : 'chat';
}

const protocolPath = (protocol: Protocol): string => PROTOCOLS[protocol].path;

/** Whose rows of the field table hold. */
function targetOf({ provider, credential }: Route): Target {
  if (credential.kind === 'models-account') return 'account';
  return provider === 'anthropic' ? 'anthropic' : 'openai';
}

function neutralOf(said: Said, target: Target): NeutralRequest {
  if (said.surface === undefined) return said.request;
  refuseTooMany(said.surface, said.body);
  // A Chat Completions body that goes to OpenAI's other interface is translated, and is held to the cells of a translation.
  return PROTOCOLS[said.surface].decodeRequest(said.body, said.surface === 'chat' ? 'anthropic' : target);
}

function encode(route: Route, protocol: Protocol, request: NeutralRequest): Loose {
  const model = route.upstreamModel;
  const { thinking, outputLimit } = traitsOf(route);
  if (protocol === 'messages')
    return encodeMessagesRequest(request, {
      model,
      defaultMaxTokens: Math.min(
        DEFAULT_MAX_TOKENS[request.stream ? 'streamed' : 'whole'],
        route.model.maxOutputTokens,
      ),
      thinking,
      sampling: true,
    });
  if (protocol === 'responses') return encodeResponsesRequest(request, { model, reasoning: true, sampling: true });
  return encodeChatRequest(request, {
    model,
    maxTokensField: outputLimit === 'max_tokens' ? 'max_tokens' : 'max_completion_tokens',
    reasoning: true,
    sampling: true,
  });
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
  if (!isProviderId(provider)) throw new Error(`no address for the provider ${provider}`);
  return {
    url: `${urls[provider]}${path}`,
    headers: { ...json, ...PROVIDERS[provider].authorize(credential.key) },
    body,
  };
}
