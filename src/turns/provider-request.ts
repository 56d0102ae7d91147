// Prepares the body of a provider request for a route. If client and provider use the same protocol, the client's own body is sent
// with the model replaced; otherwise it is translated. On platform credit the body is bounded first, because the hold is
// computed from that bound.
import { AppError } from '../base/errors.ts';
import { type ModelPrice, needsResponses, traitsAt } from '../catalog/model-catalog.ts';
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
import { belowV1, FIT_CALL, type FittedCall } from '../keys/accounts/fit-call.ts';
import { EFFORTS } from '../contract/models.ts';
import { keepNothing, refuseKept, type UnkeptBody } from '../model-providers/codecs/keep-nothing.ts';
import type { NeutralRequest, NeutralTool, Protocol } from '../model-providers/codecs/neutral.ts';
import { toPassThroughBody } from '../model-providers/codecs/pass-through.ts';
import { PROTOCOLS } from '../model-providers/codecs/protocols.ts';
import { isAbsent, isObject, type Loose } from '../model-providers/codecs/read-fields.ts';
import { toUnstoredBody } from '../model-providers/codecs/responses/unstored-body.ts';
import { ACCOUNT_WIRES, findProvider, type ProviderRow, type Wire } from '../model-providers/providers.ts';
import type { RouteTarget } from './decide-turn.ts';
import { doesReason } from './does-reason.ts';
import type { AddedInput } from '../stored-responses/stored-response.ts';
import { type SourceRequest, type TranslatedBody, translateRequest } from './translate-request.ts';
import { isWorthCaching } from './worth-caching.ts';

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
  /** Whether the answer is a summary in place of the conversation, which the client gets as an item of its own. */
  readonly compacts?: true | undefined;
  /** Of a large body: what it adds to a conversation that is stored. */
  readonly added?: AddedInput | undefined;
}

/** Everything but the address and the credential; a large body is prepared on a thread, which knows neither. */
export interface PreparedBody<Json extends string | Buffer = string> extends Omit<ProviderRequest, 'upstream'> {
  readonly path: string;
  readonly json: Json;
  readonly betas?: readonly string[];
  /** JSON unless it says otherwise. */
  readonly contentType?: string;
}

/** A request for an answer, for embeddings, or for the number of its tokens. */
export type BodySource =
  | SourceRequest
  | { readonly surface: 'embedding'; readonly body: Loose }
  | { readonly surface: 'passed'; readonly body: Loose; readonly path: string }
  | { readonly surface: 'count'; readonly body: Loose; readonly betas: readonly string[] };

export function prepareBody(route: RouteTarget, source: BodySource): PreparedBody {
  if (source.surface === 'embedding') return prepareEmbedding(route, source.body);
  if (source.surface === 'count') return prepareCount(route, source);
  if (source.surface === 'passed') return preparePassed(route, source);
  const passThrough = source.surface !== undefined && passesThrough(route, source.surface, source.body);
  if (route.credential.kind === 'platform') return prepareBounded(route, source, passThrough);
  const { leftOut: tools, rest } = passThrough ? { leftOut: [], rest: source } : withoutTools(source, 'protocol');
  const { protocol, body, leftOut, mapped, compacts } = bodyFor(route, rest, passThrough, (request) => request);
  const betas = betasOf(protocol, source);
  if (route.requireZdr) {
    refuseKept(protocol, body);
    refuseBetas(betas, 'under Require ZDR', route.model);
  }
  const sent = route.requireZdr ? unkept(route, protocol, body) : { body, leftOut: [] };
  const { body: fitted, ...fit } = fitCall(route, protocol, sent.body, betas);
  return {
    protocol,
    passThrough,
    ...fit,
    json: JSON.stringify(fitted),
    leftOut: [...tools, ...leftOut, ...sent.leftOut],
    tools: mapped,
    compacts,
  };
}

/** As the server behind the route takes it. */
function fitCall(
  { credential, upstreamModel: model }: RouteTarget,
  protocol: Protocol,
  body: Loose,
  betas: readonly string[],
): FittedCall {
  return credential.kind === 'models-account'
    ? FIT_CALL[credential.auth]({ protocol, model, body, betas })
    : { path: protocolPath(protocol), body, betas };
}

/** The body by which the provider keeps nothing. */
function unkept(route: RouteTarget, protocol: Protocol, given: Loose): UnkeptBody {
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
  route: RouteTarget,
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
        target: wireOf(route).fields,
      }),
      leftOut: [],
    };
  }
  return translateRequest(source, { route, traits: traitsOf(route), wire: wireOf(route), adjust });
}

/** Anthropic's beta switches mean nothing to other providers or in a translated body. */
function betasOf(protocol: Protocol, source: SourceRequest): readonly string[] {
  return protocol === 'messages' && source.surface === 'messages' ? source.betas : [];
}

function prepareBounded(route: RouteTarget, source: SourceRequest, passThrough: boolean): PreparedBody {
  const target = boundTarget(route);
  const { leftOut: tools, rest } = withoutTools(source, passThrough ? 'cost' : 'protocol');
  const { protocol, body, leftOut, mapped, compacts } = bodyFor(route, rest, passThrough, (request) =>
    limited(request, target),
  );
  const betas = betasOf(protocol, source);
  if (source.surface === 'messages') refuseThread(source.body);
  refuseBetas(betas, 'on platform credit', target);
  const sent = unkept(route, protocol, body);
  const { json, bound } = boundRequest(protocol, sent.body, target);
  return {
    protocol,
    passThrough,
    path: protocolPath(protocol),
    json,
    betas,
    bound,
    reasons: doesReason(protocol, sent.body, traitsOf(route)),
    leftOut: [...tools, ...leftOut, ...sent.leftOut],
    tools: mapped,
    compacts,
  };
}

interface PricedTarget extends BoundTarget {
  readonly price: ModelPrice;
}

/** The limit is set before translation: how much a model may think depends on it. */
function limited(request: NeutralRequest, target: PricedTarget): NeutralRequest {
  refuseUrls(request);
  return {
    ...request,
    maxOutputTokens: outputLimit(request.maxOutputTokens, target),
    cache: request.cache ?? (isWorthCaching(request, target.price) ? {} : undefined),
  };
}

function boundTarget({ provider, upstreamModel, model, declared }: RouteTarget): PricedTarget {
  if (!declared?.price) throw new AppError('model_not_routable', { model: model.id });
  return {
    provider,
    model: upstreamModel,
    contextWindow: model.contextWindow,
    maxOutputTokens: model.maxOutputTokens,
    price: declared.price,
  };
}

const EMBEDDINGS = '/v1/embeddings';

/** Every provider uses OpenAI's shape for embeddings. */
function prepareEmbedding(route: RouteTarget, body: Loose): PreparedBody {
  const named = { ...body, model: route.upstreamModel };
  const { json, bound } =
    route.credential.kind === 'platform' ? boundEmbedding(named, boundTarget(route)) : { json: JSON.stringify(named) };
  return {
    protocol: 'chat',
    passThrough: true,
    path: pathAt(route, EMBEDDINGS),
    json,
    ...(bound ? { bound } : {}),
  };
}

/** The base URL of an account includes /v1. */
export const pathAt = ({ credential }: RouteTarget, path: string): string =>
  credential.kind === 'models-account' ? belowV1(path) : path;

/** The client's own body. Nothing of it is kept under Require ZDR: only a compaction has fields for that. */
function preparePassed(
  route: RouteTarget,
  { body, path }: { readonly body: Loose; readonly path: string },
): PreparedBody {
  const keepable = route.requireZdr === true && path.startsWith(protocolPath('responses'));
  if (keepable) refuseKept('responses', body);
  const { body: sent, leftOut } = keepable ? keepNothing('responses', body) : { body, leftOut: [] };
  const named = isAbsent(body['model']) ? sent : { ...sent, model: route.upstreamModel };
  return { protocol: 'chat', passThrough: true, path: pathAt(route, path), json: JSON.stringify(named), leftOut };
}

/** Anthropic's own count of a Messages body. */
function prepareCount(
  route: RouteTarget,
  { body, betas }: { readonly body: Loose; readonly betas: readonly string[] },
): PreparedBody {
  return {
    protocol: 'messages',
    passThrough: true,
    path: `${protocolPath('messages')}/count_tokens`,
    json: JSON.stringify(
      toPassThroughBody('messages', body, { model: route.upstreamModel, target: wireOf(route).fields }),
    ),
    betas,
  };
}

/** Whether the client uses the protocol of the route's provider. */
function passesThrough(route: RouteTarget, surface: Protocol, body: Loose): boolean {
  const { protocols } = wireOf(route);
  if (!protocols.includes(surface)) return false;
  return surface !== 'chat' || !protocols.includes('responses') || !isForResponses(route, body);
}

/** Whether a Chat Completions body has to go to the Responses API, because the model takes it only there. */
function isForResponses(route: RouteTarget, { tools, reasoning_effort: asked }: Loose): boolean {
  const functions = Array.isArray(tools) && tools.length > 0;
  if (functions && !tools.every((tool) => isObject(tool) && tool['type'] === 'function')) return false;
  return needsResponses(traitsOf(route), { tools: functions, effort: EFFORTS.find((effort) => effort === asked) });
}

const protocolPath = (protocol: Protocol): string => PROTOCOLS[protocol].path;

export function traitsOf({ model, provider, credential }: RouteTarget): ModelTraits {
  if (credential.kind !== 'models-account') return traitsAt(model, provider);
  const { takesEffort, protocol } = credential;
  // Where the model's own provider speaks what the account does, it takes the same fields there.
  const isNative = findProvider(provider)?.wire.protocols.includes(protocol) ?? false;
  return traitsAt(model, provider, { takesEffort: takesEffort && protocol !== 'messages', isNative });
}

function wireOf({ provider, credential }: RouteTarget): Wire {
  return credential.kind === 'models-account' ? ACCOUNT_WIRES[credential.protocol] : getProvider(provider).wire;
}

export function getProvider(provider: string): ProviderRow {
  const row = findProvider(provider);
  if (!row) throw new Error(`provider ${provider} is called through a Models account only`);
  return row;
}
