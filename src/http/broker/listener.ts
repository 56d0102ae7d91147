// The broker's HTTP interface: the protocol, poll streams, health and figures. It serves programs, never browsers: a
// request that a browser sends from a page is refused, so no page can reach a broker on its reader's machine.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Log } from '../../telemetry/log.ts';
import type { ProcessMeter } from '../../telemetry/metrics/create-meter.ts';
import { createHttpMeter } from '../../telemetry/metrics/http-meter.ts';
import { reportFailure } from '../../telemetry/report-failure.ts';
import { noteRequest } from '../../telemetry/request-scope.ts';
import type { Broker } from '../../broker/create-broker.ts';
import type { DatabaseHealth } from '../shell/health.ts';
import { sendMetrics } from '../shell/metrics-route.ts';
import { serveScoped } from '../shell/serve-scoped.ts';
import { createTokenCheck, presentedToken } from './check-token.ts';
import { servePoll } from './poll-route.ts';
import { answerProtocol } from './protocol-route.ts';

export interface BrokerListenerDeps {
  readonly broker: Broker;
  readonly token: string | undefined;
  readonly version: string;
  readonly build: string;
  readonly checkDatabase: () => Promise<DatabaseHealth>;
  readonly log: Log;
  readonly keepAliveMs?: number;
  readonly meter?: ProcessMeter;
}

interface Call {
  readonly url: URL;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Route {
  /** Checks the token itself, or needs none. */
  readonly open?: true;
  handle(call: Call): Promise<void> | void;
}

/** Almost every request: parsing its URL can be skipped. */
const PROTOCOL_URL = new URL('/', 'http://broker');

export function brokerListener(deps: BrokerListenerDeps): RequestListener {
  const isToken = createTokenCheck(deps.token);
  const routes = brokerRoutes(deps, isToken);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    noteRequest({ route: patternOf(request.url) });
    if (request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined)
      return json(response, 403, { ok: false, error: 'cross_origin' });
    const url = request.url === '/' ? PROTOCOL_URL : new URL(request.url ?? '/', 'http://broker');
    const route = routes[`${request.method ?? ''} ${patternOf(url.pathname)}`];
    if (request.method !== 'POST' || !route) request.resume();
    if (!route && request.method !== 'GET') return json(response, 404, { ok: false, error: 'not_found' });
    if (!route?.open && !isToken(presentedToken(request.headers)))
      return json(response, 401, { ok: false, error: 'unauthenticated' });
    if (!route) return json(response, 404, { ok: false, error: 'not_found' });
    return route.handle({ url, request, response });
  };
  return serveScoped(
    (request, response) => {
      answer(request, response).catch((error: unknown) => {
        reportFailure(deps.log, error);
        if (response.headersSent) response.destroy();
        else json(response, 500, { ok: false, error: 'internal' });
      });
    },
    { meter: deps.meter && createHttpMeter(deps.meter) },
  );
}

function brokerRoutes(
  deps: BrokerListenerDeps,
  isToken: (presented: string | undefined) => boolean,
): Readonly<Record<string, Route>> {
  const { broker, log, meter } = deps;
  return {
    // The token may be in the envelope instead of a header.
    'POST /': {
      open: true,
      handle: ({ request, response }) => answerProtocol({ broker, isToken, log }, request, response),
    },
    'GET /healthz': { open: true, handle: ({ response }) => health(deps, response) },
    ...(meter ? { 'GET /metrics': { open: true, handle: ({ response }: Call) => sendMetrics(meter, response) } } : {}),
    'GET /poll/:group/:pid': { handle: ({ url, request, response }) => servePoll(deps, url, request, response) },
    'GET /figures': {
      async handle({ url, response }) {
        const origin = url.searchParams.get('origin');
        json(response, 200, origin === null ? await broker.figures() : { waiting: await broker.waiting(origin) });
      },
    },
  };
}

/** The path with its variable parts replaced. */
function patternOf(url = '/'): string {
  if (url.startsWith('/poll/')) return '/poll/:group/:pid';
  return (
    ['/', '/healthz', '/figures', '/metrics'].find((path) => url === path || url.startsWith(`${path}?`)) ?? 'unknown'
  );
}

async function health(
  { checkDatabase, version, build, broker }: BrokerListenerDeps,
  response: ServerResponse,
): Promise<void> {
  const database = await checkDatabase();
  const common = { version, build, replica: broker.replica, uptimeSeconds: Math.round(process.uptime()) };
  if (database.ok) json(response, 200, { ok: true, ...common, database: 'ok' });
  else
    json(response, 503, {
      ok: false,
      error: 'unavailable',
      ...common,
      database: 'failed',
      details: { database: database.reason },
    });
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}
