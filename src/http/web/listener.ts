// Where a request enters the web server: it gets an id and a line in the log, hot paths go to raw handlers, the
// rest to the app.
import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Log } from '../../base/log.ts';
import { type RequestScope, serveInScope } from '../../base/request-scope.ts';
import { pathOf, type RawRoute, requestIdOf } from '../raw-route.ts';
import type { WebApp } from './app.ts';

export function webListener(app: WebApp, rawRoutes: readonly RawRoute[], log: Log): RequestListener {
  const toApp = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return (request, response) => {
    const startedAt = performance.now();
    const { method = 'GET', headers } = request;
    const path = pathOf(request);
    const requestId = requestIdOf(headers['x-request-id']);
    response.setHeader('x-request-id', requestId);
    const scope: RequestScope = { requestId, method };
    response.once('close', () => {
      const line = { requestId, method, route: scope.route ?? 'unknown', organization: scope.organization, status: response.statusCode, ms: Math.round(performance.now() - startedAt) };
      if (response.statusCode >= 500) log.warn(line, 'request answered with a failure');
      else log.debug(line, 'request');
    });
    const raw = rawRoutes.find((route) => route.matches(method, path));
    serveInScope(scope, () => void (raw ? raw.handle(request, response) : toApp(request, response)));
  };
}
