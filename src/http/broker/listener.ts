// The broker's face: the protocol, poll streams, health and figures. It serves programs, never browsers: whatever
// a browser sends from a page is refused, so that no page can reach a broker on its reader's own machine.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Log } from '../../base/log.ts';
import type { ProcessMeter } from '../../base/metrics/create-meter.ts';
import { createHttpMeter } from '../../base/metrics/http-meter.ts';
import { reportFailure } from '../../base/report-failure.ts';
import { noteRequest } from '../../base/request-scope.ts';
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
  readonly checkDatabase: () => Promise<DatabaseHealth>;
  readonly log: Log;
  readonly keepAliveMs?: number;
  readonly meter?: ProcessMeter;
}

export function brokerListener(deps: BrokerListenerDeps): RequestListener {
  const isToken = createTokenCheck(deps.token);
  const route = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    noteRequest({ route: routeOf(request) });
    if (request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined)
      return json(response, 403, { ok: false, error: 'cross_origin' });
    if (request.method === 'POST' && request.url === '/')
      return answerProtocol({ broker: deps.broker, isToken, log: deps.log }, request, response);
    const url = new URL(request.url ?? '/', 'http://broker');
    if (request.method === 'POST' && url.pathname === '/')
      return answerProtocol({ broker: deps.broker, isToken, log: deps.log }, request, response);
    request.resume();
    if (request.method !== 'GET') return json(response, 404, { ok: false, error: 'not_found' });
    if (url.pathname === '/healthz') return health(deps, response);
    if (url.pathname === '/metrics' && deps.meter) return sendMetrics(deps.meter, response);
    if (!isToken(presentedToken(request.headers))) return json(response, 401, { ok: false, error: 'unauthenticated' });
    if (url.pathname.startsWith('/poll/')) return servePoll(deps, url, request, response);
    if (url.pathname === '/figures') {
      const origin = url.searchParams.get('origin');
      return json(
        response,
        200,
        origin === null ? await deps.broker.figures() : { waiting: await deps.broker.waiting(origin) },
      );
    }
    return json(response, 404, { ok: false, error: 'not_found' });
  };
  return serveScoped(
    (request, response) => {
      route(request, response).catch((error: unknown) => {
        reportFailure(deps.log, error);
        if (response.headersSent) response.destroy();
        else json(response, 500, { ok: false, error: 'internal' });
      });
    },
    { meter: deps.meter && createHttpMeter(deps.meter) },
  );
}

/** The pattern of the path; a poll's names its process. */
function routeOf({ url = '/' }: IncomingMessage): string {
  if (url.startsWith('/poll/')) return '/poll/:group/:pid';
  return (
    ['/', '/healthz', '/figures', '/metrics'].find((path) => url === path || url.startsWith(`${path}?`)) ?? 'unknown'
  );
}

async function health({ checkDatabase, version, broker }: BrokerListenerDeps, response: ServerResponse): Promise<void> {
  const database = await checkDatabase();
  const common = { version, replica: broker.replica, uptimeSeconds: Math.round(process.uptime()) };
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
