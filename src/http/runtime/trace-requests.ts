// A request's id, its span and its log line. The line names the route and never the query, which may carry a token.
import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Log } from '../../base/log.ts';
import { type RequestScope, serveInScope } from '../../base/request-scope.ts';
import { type ReadHeader, span } from '../../base/telemetry.ts';
import { requestIdOf } from '../raw-route.ts';
import { type Answered, routeLabel } from './metrics.ts';

export function traceRequests(log: Log): MiddlewareHandler {
  return async (c, next) => {
    const { method } = c.req;
    const answered = await traceRequest(
      log,
      method,
      (name) => c.req.header(name),
      async (requestId) => {
        await next();
        setHeader(c, 'x-request-id', requestId);
        return { route: routeLabel(routePath(c)), status: c.res.status };
      },
    );
    c.set('answered', answered);
  };
}

export async function traceRequest(
  log: Log,
  method: string,
  read: ReadHeader,
  work: (requestId: string) => Promise<Answered>,
): Promise<Answered> {
  const startedAt = performance.now();
  const requestId = requestIdOf(read('x-request-id'));
  return span(
    method,
    { 'http.request.method': method, 'request.id': requestId },
    async (current) => {
      const scope: RequestScope = { requestId, method };
      const answered = await serveInScope(scope, () => work(requestId));
      const { route, status } = answered;
      current.rename(`${method} ${route}`);
      current.set({ 'http.route': route, 'http.response.status_code': status });
      const line = { requestId, method, route, status, ms: Math.round(performance.now() - startedAt) };
      if (status >= 500) log.warn(line, 'request');
      else log.debug(line, 'request');
      return { ...answered, code: scope.code };
    },
    { read, kind: 'server' },
  );
}

/** In place, which copies nothing; the headers of an answer that came from elsewhere cannot be changed, so that one is copied. */
function setHeader(c: Context, name: string, value: string): void {
  try {
    c.res.headers.set(name, value);
  } catch {
    c.header(name, value);
  }
}
