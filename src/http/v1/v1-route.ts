// The OpenAI- and Anthropic-compatible API. A raw handler, because these are the hottest paths of the service.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dropRest } from '../../net/drop-rest.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { reportFailure } from '../../telemetry/report-failure.ts';
import { noteRequest } from '../../telemetry/request-scope.ts';
import { answerTurn } from '../../turns/answer-turn.ts';
import { type CountRequest, countTokens } from '../../turns/count-tokens.ts';
import { findThread } from '../../stored-responses/expand-thread.ts';
import { type LimitOnce, refuseKnown, refuseRevoked, takeOnce } from '../../turns/take-from-limit.ts';
import type { BodyKind } from '../../turns/bodies/body-job.ts';
import type { TurnRequest } from '../../turns/open-turn.ts';
import { buildProviderRequest } from '../../turns/address-request.ts';
import type { ProviderRequest } from '../../turns/provider-request.ts';
import { readBetas } from '../../model-providers/bounds/bound-request.ts';
import { type Envelope, readEnvelope } from '../../model-providers/codecs/read-envelope.ts';
import type { TokenVerifier } from '../../tenancy/tokens/verify-token.ts';
import { readToken } from '../shell/authenticate-token.ts';
import type { Admission, Received } from '../shell/admission/admission.ts';
import { pathOf, type RawRoute } from '../shell/raw-route.ts';
import { allowOrigin } from './cors.ts';
import { type AllowedModels, listModels } from './list-models.ts';
import { type Opened, openResponse, type OpenDeps } from './open-response.ts';
import { openThread } from './open-thread.ts';
import { readSentBody, type SentBody } from '../shell/sent-body.ts';
import { answerHeaders, type ClientRequest, createResponseSink, signalOf } from './response-sink.ts';
import type { OpenStreams } from '../shell/streams/open-streams.ts';
import { isStoredPath, serveStored } from './stored-responses.ts';
import { isForm, passOn } from './pass-on.ts';
import { type ChatSurface, findSurface, PASSED, SURFACES, type V1Caller, type V1Request } from './surfaces.ts';
import { findUnserved } from './unserved.ts';
import { writeError } from './write-surface-error.ts';

export interface V1Deps extends OpenDeps {
  readonly verifier: TokenVerifier;
  readonly allowedModels: AllowedModels;
  readonly streams: OpenStreams;
  readonly log: Log;
  readonly admission: Admission;
  /** `SERVICE_V1_CORS_ORIGINS`; none when left out. */
  readonly corsOrigins?: ReadonlySet<string> | undefined;
}

const OPENAI_SHAPE = { protocol: 'chat' } as const;
const ANTHROPIC_SHAPE = { protocol: 'messages' } as const;
const NO_ORIGINS: ReadonlySet<string> = new Set();
const READING_COST = 'database';

export function v1Route(deps: V1Deps): RawRoute {
  return {
    cost: {
      '/v1/models': READING_COST,
      '/v1/responses/{id}': READING_COST,
      ...Object.fromEntries(Object.entries({ ...SURFACES, ...PASSED }).map(([path, { cost }]) => [path, cost])),
    },
    matches: (_method, path) => path === '/v1' || path.startsWith('/v1/'),
    handle(request, response) {
      const path = withoutSlash(pathOf(request));
      const surface = findSurface(path);
      const requestId = response.getHeader('x-request-id');
      // The name under which Anthropic's clients look for it.
      if (requestId !== undefined) response.setHeader('request-id', requestId);
      noteRequest({ route: routeOf(path, surface) });
      allowOrigin(deps.corsOrigins ?? NO_ORIGINS, request, response);
      serve(deps, request, response, path).catch((error: unknown) => {
        reportFailure(deps.log, error);
        dropRest(request);
        writeError(response, surface ?? (path.startsWith('/v1/messages/') ? ANTHROPIC_SHAPE : OPENAI_SHAPE), error);
      });
    },
  };
}

interface SurfaceRequest extends V1Request {
  readonly surface: ChatSurface;
  readonly limit: LimitOnce;
}

async function serve(deps: V1Deps, request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
  const surface = findSurface(path);
  const methods = surface?.method ?? methodsOf(path);
  if (methods === undefined) throw refuseUnknown(path);
  // Anyone may know this; the CORS headers are already set.
  if (request.method === 'OPTIONS') return void response.writeHead(204, { allow: `${methods}, OPTIONS` }).end();
  if (!methods.split(', ').includes(request.method ?? '')) {
    response.setHeader('allow', `${methods}, OPTIONS`);
    throw new AppError('method_not_allowed');
  }

  const caller = await authenticate(deps, request);
  if (!surface)
    return deps.admission.serve({ cost: READING_COST }, caller, request, () =>
      isModels(path)
        ? listModels(deps, { request, response, caller, path })
        : serveStored(deps, { request, response, caller, path }),
    );
  const limit = takeOnce(deps, caller);
  const asked: SurfaceRequest = { request, response, caller, path, surface, limit };
  if (!surface.counts) refuseKnown(deps, caller);
  // The caller is checked before the rest of a large body is read, at the price of a round trip.
  const beforeLarge = (): Promise<void> => (surface.counts ? refuseRevoked(deps, caller) : limit.take());
  const body = surface.passes && isForm(request) ? 'passed' : 'model';
  await deps.admission.serve({ cost: surface.cost, body, beforeLarge }, caller, request, (_body, received) =>
    surface.passes ? passOn(deps, asked, received) : answer(deps, asked, received),
  );
}

/** The path pattern, as listed in the cost table. */
function routeOf(path: string, surface: ChatSurface | undefined): string {
  if (surface) return path;
  if (isModels(path)) return '/v1/models';
  return isStoredPath(path) ? '/v1/responses/:id' : 'unknown';
}

function refuseUnknown(path: string): AppError {
  const unserved = findUnserved(path);
  return unserved ? new AppError('surface_not_served', { ...unserved }) : new AppError('not_found');
}

/** Some clients join their base URL and the path with an extra slash. */
function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

/** For paths that call no model. */
function methodsOf(path: string): string | undefined {
  if (isModels(path)) return 'GET, HEAD';
  if (isStoredPath(path)) return path.endsWith('/input_items') ? 'GET, HEAD' : 'GET, HEAD, DELETE';
  return undefined;
}

function isModels(path: string): boolean {
  return path === '/v1/models' || path.startsWith('/v1/models/');
}

async function answer(deps: V1Deps, asked: SurfaceRequest, received: Received): Promise<void> {
  const { request, response, surface } = asked;
  const sent = await readSentBody(received, response, kindOf(surface));
  if (surface.modality === 'embedding') return answerEmbedding(deps, asked, sent);

  const { body, bytes, read } = sent;
  const envelope = read?.envelope ?? readEnvelope(surface.protocol, body);
  const betas = readBetas(request.headers);
  const large = read && sent.asLarge();
  if (surface.counts) return answerCount(deps, asked, { model: envelope.model, body, large, bytes, betas });
  const thread = surface.protocol === 'messages' ? findThread(body) : undefined;
  if (surface.protocol !== 'responses' && !thread) {
    const source = { surface: surface.protocol, body, betas };
    const prepare: ChatRequest['prepare'] = (route) =>
      large?.prepare(route, { betas }, deps.urls) ?? buildProviderRequest(route, source, deps.urls);
    return answerChat(deps, { ...asked, envelope, body, bytes, prepare, opened: undefined });
  }
  const opened = thread ? await openThread(deps, asked, sent, thread) : await openResponse(deps, asked, sent);
  try {
    await answerChat(deps, {
      ...asked,
      envelope,
      body,
      bytes,
      prepare: (route) => opened.prepare(route, betas),
      opened,
    });
  } finally {
    opened.close();
  }
}

function kindOf({ modality, counts, protocol }: ChatSurface): BodyKind {
  if (modality === 'embedding') return 'embedding';
  return counts ? 'count' : protocol;
}

interface ChatRequest extends SurfaceRequest, ClientRequest {
  readonly envelope: Envelope;
  readonly bytes: number;
  readonly prepare: TurnRequest<ProviderRequest>['prepare'];
  readonly opened: Opened | undefined;
}

async function answerChat(deps: V1Deps, asked: ChatRequest): Promise<void> {
  const { response, caller, surface, limit, envelope, bytes, prepare, opened } = asked;
  const { userId, tokenId, expiresAtMs, organizationId, workspace: workspaceId } = caller;
  const seat = envelope.stream
    ? deps.streams.open('v1', { userId, tokenId, expiresAtMs, organizationId, workspaceId }, response)
    : undefined;
  await answerTurn(
    deps,
    caller,
    {
      model: envelope.model,
      modality: surface.modality,
      surface: surface.name,
      inputBytes: bytes + (opened?.addedBytes ?? 0),
      counted: limit.counted,
      prepare,
    },
    createResponseSink(asked, seat),
  );
}

async function answerCount(
  deps: V1Deps,
  { response, caller }: SurfaceRequest,
  count: Omit<CountRequest, 'gone'>,
): Promise<void> {
  const { route, inputTokens } = await countTokens(deps, caller, { ...count, gone: signalOf(response) });
  response.writeHead(200, { 'content-type': 'application/json', ...answerHeaders(route) });
  response.end(JSON.stringify({ input_tokens: inputTokens }));
}

const NO_USAGE_CHUNK = { includeUsage: false } as const;

async function answerEmbedding(
  deps: V1Deps,
  { response, caller, surface, limit }: SurfaceRequest,
  sent: SentBody,
): Promise<void> {
  const { body, bytes, read } = sent;
  const { model, input } = body;
  if (typeof model !== 'string' || model === '')
    throw new AppError('invalid_request', { model: 'must be the id of a model' });
  if (input === undefined) throw new AppError('invalid_request', { input: 'must be text or a list of texts' });
  const large = read && sent.asLarge();
  const prepare: ChatRequest['prepare'] = (route) =>
    large?.prepare(route, { betas: [] }, deps.urls) ??
    buildProviderRequest(route, { surface: 'embedding', body }, deps.urls);
  await answerTurn(
    deps,
    caller,
    { model, modality: 'embedding', surface: surface.name, inputBytes: bytes, counted: limit.counted, prepare },
    createResponseSink({ response, surface, envelope: NO_USAGE_CHUNK, body }),
  );
}

/**
 * Verifies the token. Whether it has been revoked, and whether its user is a member of that workspace, is checked with
 * the limit and the budget.
 */
async function authenticate(deps: V1Deps, request: IncomingMessage): Promise<V1Caller> {
  const token = readToken(request.headers);
  const claims = token === undefined ? undefined : await deps.verifier.verify(token);
  if (!claims) throw new AppError('unauthenticated');
  if (!claims.scopes.has('chat')) throw new AppError('insufficient_scope', { scope: 'chat' });
  const { userId, tokenId, organizationId, workspaceId, expiresAtMs, spendTokenId, models } = claims;
  noteRequest({ organization: organizationId });
  const header = request.headers['x-service-workspace'];
  const named = typeof header === 'string' && header !== '' ? header : undefined;
  const spending = { spendTokenId, models };
  return {
    userId,
    tokenId,
    organizationId,
    workspace: named ?? workspaceId,
    boundTo: workspaceId,
    expiresAtMs,
    ...spending,
  };
}
