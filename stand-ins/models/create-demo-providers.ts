// The demo model providers: one server with the APIs of both. The path says which one is meant, or the headers where
// both have the same path.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Clock } from '../../src/base/clock.ts';
import type { Log } from '../../src/telemetry/log.ts';
import { RUN_USER_AGENT } from '../../src/net/run-user-agent.ts';
import { answerEmbeddings, readEmbeddingsRequest } from './answer-embeddings.ts';
import type { Provider } from './demo-request.ts';
import { buildReply } from './build-reply.ts';
import { checkKey } from './check-key.ts';
import { composeAnswer } from './compose-answer.ts';
import { countInput } from './count-tokens.ts';
import { checkModel, demoModels, getModel, listAnthropicModels, listOpenAiModels } from './demo-models.ts';
import { readJson } from './read-json.ts';
import { readCountRequest } from './read-messages-request.ts';
import { Refusal, REFUSALS, renderRefusal } from './refusal.ts';
import { judgeRequest } from './rules/judge-request.ts';
import { sendFrames } from './send-frames.ts';
import { findSurface, type ModelSurface } from './surfaces.ts';

export interface DemoProvidersOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Of the build that it belongs to. */
  readonly running: { readonly version: string; readonly build: string };
}

/** About thirty tokens per second; a short answer is sent without delay, and so is any answer if the client asks for it. */
const TOKEN_MS = 33;
const SHORT_TOKENS = 24;
const PACE_HEADER = 'x-demo-pace';

interface Exchange extends DemoProvidersOptions {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly provider: Provider;
  readonly url: URL;
}

export function createDemoProviders(options: DemoProvidersOptions): RequestListener {
  return (request, response) => {
    const url = URL.parse(request.url ?? '/', 'http://demo') ?? new URL('http://demo/');
    const provider = addressedProvider(request, url.pathname);
    const requestId = `req_demo_${randomUUID()}`;
    response.setHeader(provider === 'anthropic' ? 'request-id' : 'x-request-id', requestId);
    response.setHeader('x-demo-model', '1');
    answer({ ...options, request, response, provider, url }).catch((error: unknown) => {
      // A client that disconnects before its request is complete is not our fault.
      if (!(error instanceof Refusal) && request.errored === null)
        options.log.error({ err: error }, 'demo provider failed');
      if (response.headersSent) response.destroy();
      else
        refuse(
          response,
          provider,
          error instanceof Refusal ? error : new Refusal('fault', 'The demo provider encountered an error.'),
          requestId,
        );
    });
  };
}

async function answer(exchange: Exchange): Promise<void> {
  const { request, response, provider, url } = exchange;
  const [path, method] = [url.pathname, request.method];
  if (path === '/healthz') return sendJson(response, { ok: true, ...exchange.running });
  checkKey(provider, request.headers);
  if (path === '/v1/models' || path.startsWith('/v1/models/')) {
    if (method !== 'GET') throw wrongMethod(method, path);
    return sendJson(response, modelsPage(provider, url));
  }
  const surface = findSurface(path);
  const other = OTHER_POSTS[path];
  if (!surface && !other) throw new Refusal('unknown_route', `Invalid URL (${method} ${path})`);
  if (method !== 'POST') throw wrongMethod(method, path);
  const body = await readJson(request);
  const refusal = judgeRequest({ path, headers: request.headers, body });
  if (refusal) throw refusal;
  if (surface) return answerModel(exchange, surface, body);
  if (other) sendJson(response, other(body));
}

const OTHER_POSTS: Readonly<Record<string, (body: unknown) => object>> = {
  '/v1/embeddings': (body) => {
    const asked = readEmbeddingsRequest(body);
    checkModel('openai', asked.model, 'embedding');
    return answerEmbeddings(asked);
  },
  '/v1/messages/count_tokens': (body) => {
    const asked = readCountRequest(body);
    checkModel('anthropic', asked.model, 'chat');
    return { input_tokens: countInput(asked) };
  },
};

async function answerModel(
  { request, response, clock }: Exchange,
  surface: ModelSurface,
  body: unknown,
): Promise<void> {
  const asked = surface.read(body);
  checkModel(surface.provider, asked.model, 'chat');
  const place = request.headers['user-agent'] === RUN_USER_AGENT ? 'sandbox' : 'client';
  const reply = buildReply(asked, composeAnswer(asked, place), clock());
  if (!asked.stream) return sendJson(response, surface.whole(reply));
  const isFast = reply.pieces.length <= SHORT_TOKENS || request.headers[PACE_HEADER] === 'fast';
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  await sendFrames(response, surface.stream(reply, asked.streamUsage), isFast ? 0 : TOKEN_MS);
}

function modelsPage(provider: Provider, { pathname, searchParams }: URL): object {
  const id = pathname.slice('/v1/models/'.length);
  if (id !== '') return getModel(provider, id);
  return provider === 'anthropic'
    ? listAnthropicModels(demoModels(provider), searchParams)
    : listOpenAiModels(demoModels(provider));
}

function addressedProvider({ headers }: IncomingMessage, path: string): Provider {
  if (path.startsWith('/v1/messages')) return 'anthropic';
  if (findSurface(path) || path === '/v1/embeddings') return 'openai';
  return 'x-api-key' in headers || 'anthropic-version' in headers ? 'anthropic' : 'openai';
}

function wrongMethod(method: string | undefined, path: string): Refusal {
  return new Refusal('wrong_method', `Not allowed to ${method} on ${path}.`);
}

function refuse(response: ServerResponse, provider: Provider, refusal: Refusal, requestId: string): void {
  sendJson(response, renderRefusal(provider, refusal, requestId), REFUSALS[refusal.code].status);
}

function sendJson(response: ServerResponse, body: object, status = 200): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text);
}
