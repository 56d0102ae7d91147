// The OpenAI- and Anthropic-compatible interface. A raw handler: these are the hottest paths of the service.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dropRest } from '../../base/drop-rest.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { answerTurn } from '../../chat/answer-turn.ts';
import { type CountAsk, countTokens } from '../../chat/count-tokens.ts';
import { findThread } from '../../chat/stored/expand-thread.ts';
import { refuseRevoked, takeFromLimit, type TurnCaller } from '../../chat/open-turn.ts';
import { buildEmbeddingRequest, buildProviderRequest, type ProviderRequest } from '../../chat/provider-request.ts';
import type { Route } from '../../chat/decide-turn.ts';
import { readBetas } from '../../providers/bounds/betas.ts';
import { type Envelope, readEnvelope } from '../../providers/codecs/read-envelope.ts';
import type { Loose } from '../../providers/codecs/read-fields.ts';
import type { TokenVerifier } from '../../tenancy/verify-token.ts';
import { readToken } from '../authenticate-token.ts';
import type { Gate } from '../gate.ts';
import { pathOf, type RawRoute } from '../raw-route.ts';
import { BODY_BUDGET } from './body-budget.ts';
import { type AllowedModels, listModels } from './list-models.ts';
import { type Opened, openResponse, type OpenDeps } from './open-response.ts';
import { openThread } from './open-thread.ts';
import { announcedBytes, BODY_LIMIT_BYTES, readJsonBody } from './read-json-body.ts';
import { answerHeaders, createResponseSink, leavingOf, writeError } from './response-sink.ts';
import type { OpenStreams } from '../streams/open-streams.ts';
import { isStoredPath, serveStored } from './stored-responses.ts';
import { type Surface, SURFACES } from './surfaces.ts';

export interface V1Deps extends OpenDeps {
  readonly verifier: TokenVerifier;
  readonly allowedModels: AllowedModels;
  readonly streams: OpenStreams;
  readonly log: Log;
  readonly gate: Gate;
}

const OPENAI_SHAPE = { protocol: 'chat' } as const;

export function v1Route(deps: V1Deps): RawRoute {
  return {
    cost: { '/v1/models': 'database', '/v1/responses/{id}': 'database', ...Object.fromEntries(Object.entries(SURFACES).map(([path, { cost }]) => [path, cost])) },
    matches: (_method, path) => path === '/v1' || path.startsWith('/v1/'),
    handle(request, response) {
      const path = pathOf(request);
      const surface = SURFACES[path];
      serve(deps, request, response, path, surface).catch((error: unknown) => {
        if (!(error instanceof AppError)) deps.log.error({ err: error, path }, 'request failed');
        dropRest(request);
        writeError(response, surface ?? OPENAI_SHAPE, error);
      });
    },
  };
}

interface V1Caller extends TurnCaller {
  readonly expiresAtMs: number;
}

async function serve(deps: V1Deps, request: IncomingMessage, response: ServerResponse, path: string, surface: Surface | undefined): Promise<void> {
  if (path === '/v1/models' || path.startsWith('/v1/models/')) return listModels(deps, request, response, await authenticate(deps, request), path);
  if (!surface && isStoredPath(path)) {
    const caller = await authenticate(deps, request);
    return deps.gate.pass('database', caller.userId, () => serveStored(deps, request, response, caller, path));
  }
  if (!surface) throw new AppError('not_found');
  if (request.method !== surface.method) throw new AppError('method_not_allowed');

  const caller = await authenticate(deps, request);
  await deps.gate.pass(surface.cost, caller.userId, () => (isLarge(request) ? answerLarge(deps, caller, request, response, surface) : answer(deps, caller, request, response, surface)));
}

/** A body that takes a while to read and parse: whether it may be sent at all is asked before, at the price of a round trip. */
async function answerLarge(deps: V1Deps, caller: V1Caller, request: IncomingMessage, response: ServerResponse, surface: Surface): Promise<void> {
  const bytes = announcedBytes(request);
  if (bytes > BODY_LIMIT_BYTES) throw new AppError('request_too_large', { limitBytes: BODY_LIMIT_BYTES });
  const giveBack = deps.budget.take(caller.userId, bytes);
  try {
    if (!surface.counts) await takeFromLimit(deps, caller.userId, caller.tokenId);
    else await refuseRevoked(deps, caller);
    await answer(surface.counts ? deps : uncounted(deps), caller, request, response, surface);
  } finally {
    giveBack();
  }
}

/** For a request that the limit has counted. */
function uncounted(deps: V1Deps): V1Deps {
  return { ...deps, limit: 0, kvLimit: undefined };
}

function isLarge(request: IncomingMessage): boolean {
  return announcedBytes(request) > BODY_BUDGET.largeBytes;
}

async function answer(deps: V1Deps, caller: V1Caller, request: IncomingMessage, response: ServerResponse, surface: Surface): Promise<void> {
  const { body, bytes } = await readJsonBody(request);
  if (surface.modality === 'embedding') return answerEmbedding(deps, caller, response, surface, body, bytes);

  const envelope = readEnvelope(surface.protocol, body);
  if (surface.counts) return answerCount(deps, caller, response, { model: envelope.model, body, bytes, betas: readBetas(request.headers) });
  const thread = surface.protocol === 'messages' ? findThread(body) : undefined;
  if (surface.protocol !== 'responses' && !thread) return answerChat(deps, caller, { request, response, surface, envelope, body, bytes });
  const opened = thread ? await openThread(deps, caller, body, thread) : await openResponse(deps, caller, body);
  try {
    await answerChat(opened.counted ? uncounted(deps) : deps, caller, { request, response, surface, envelope, body, bytes, opened });
  } finally {
    opened.close();
  }
}

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly surface: Surface;
  readonly envelope: Envelope;
  readonly body: Loose;
  readonly bytes: number;
  readonly opened?: Opened;
}

async function answerChat(deps: V1Deps, caller: V1Caller, { request, response, surface, envelope, body, bytes, opened }: Asked): Promise<void> {
  const { userId, tokenId, expiresAtMs, organizationId, workspace: workspaceId } = caller;
  const seat = envelope.stream ? deps.streams.open('v1', { userId, tokenId, expiresAtMs, organizationId, workspaceId }, response) : undefined;
  await answerTurn(
    deps,
    caller,
    {
      model: envelope.model,
      modality: surface.modality,
      inputBytes: bytes + (opened?.addedBytes ?? 0),
      prepare(route) {
        const betas = readBetas(request.headers);
        return buildProviderRequest(route, { surface: surface.protocol, body: opened ? opened.bodyFor(route) : body, betas: opened?.betasFor?.(route, betas) ?? betas }, deps.urls);
      },
    },
    createResponseSink(response, surface, envelope, body, seat, opened?.keepFor),
  );
}

async function answerCount(deps: V1Deps, caller: TurnCaller, response: ServerResponse, asked: Omit<CountAsk, 'gone'>): Promise<void> {
  const { route, inputTokens } = await countTokens(deps, caller, { ...asked, gone: leavingOf(response) });
  response.writeHead(200, { 'content-type': 'application/json', ...answerHeaders(route) });
  response.end(JSON.stringify({ input_tokens: inputTokens }));
}

async function answerEmbedding(deps: V1Deps, caller: TurnCaller, response: ServerResponse, surface: Surface, body: Loose, bytes: number): Promise<void> {
  const { model, input } = body;
  if (typeof model !== 'string' || model === '') throw new AppError('invalid_request', { model: 'must be the id of a model' });
  if (input === undefined) throw new AppError('invalid_request', { input: 'must be text or a list of texts' });
  const prepare = (route: Route): ProviderRequest => buildEmbeddingRequest(route, body, deps.urls);
  await answerTurn(deps, caller, { model, modality: 'embedding', inputBytes: bytes, prepare }, createResponseSink(response, surface, { model, includeUsage: false }, body));
}

/** The token is checked here; whether it is revoked, its user a member and it for that workspace, where the limit and the budget are. */
async function authenticate(deps: V1Deps, request: IncomingMessage): Promise<V1Caller> {
  const token = readToken(request.headers);
  const claims = token === undefined ? undefined : await deps.verifier.verify(token);
  if (!claims) throw new AppError('unauthenticated');
  if (!claims.scopes.has('chat')) throw new AppError('insufficient_scope', { scope: 'chat' });
  const { userId, tokenId, organizationId, workspaceId, expiresAtMs } = claims;
  const header = request.headers['x-service-workspace'];
  const named = typeof header === 'string' && header !== '' ? header : undefined;
  return { userId, tokenId, organizationId, workspace: named ?? workspaceId, boundTo: workspaceId, expiresAtMs };
}
