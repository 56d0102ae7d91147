// Where a request enters the api role: hot paths go to raw handlers, counted and traced like the rest, and the rest
// to the app.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Log } from '../../base/log.ts';
import { noteRequest } from '../../base/request-scope.ts';
import type { RouteCost } from '../../contract/route-cost.ts';
import { pathOf } from '../shell/raw-route.ts';
import type { Metrics } from './metrics.ts';
import { traceRequest } from './trace-requests.ts';

export interface RuntimeRawRoute {
  readonly path: string;
  readonly cost: RouteCost;
  /** Resolves when the answer has begun. Never rejects. Whoever is known passes the gate by the route's cost before anything is read. */
  handle(request: IncomingMessage, response: ServerResponse, requestId: string): Promise<void>;
}

export function runtimeListener(
  app: Hono,
  rawRoutes: readonly RuntimeRawRoute[],
  metrics: Pick<Metrics, 'countRequest'>,
  log: Log,
): RequestListener {
  const toApp = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return (request, response) => {
    const path = pathOf(request);
    const raw = rawRoutes.find((route) => route.path === path);
    if (!raw) return void toApp(request, response);
    const { method = 'GET', headers } = request;
    const read = (name: string): string | undefined => {
      const value = headers[name];
      return typeof value === 'string' ? value : undefined;
    };
    void metrics.countRequest(method, () =>
      traceRequest(log, method, read, async (requestId) => {
        noteRequest({ route: path });
        await raw.handle(request, response, requestId);
        return { route: path, status: response.statusCode };
      }),
    );
  };
}
