// A request's id, its span and its log line. The line names the route and never the query, which may carry a token.
import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { newId } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import { span } from '../../base/telemetry.ts';
import { routeLabel } from './metrics.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** For routes that write their answer to the socket themselves. */
    requestId?: string;
  }
}

const REQUEST_ID = /^[\w.-]{8,80}$/;

export function traceRequests(log: Log): MiddlewareHandler {
  return async (c, next) => {
    const startedAt = performance.now();
    const given = c.req.header('x-request-id');
    const requestId = given !== undefined && REQUEST_ID.test(given) ? given : newId('req');
    c.set('requestId', requestId);
    const { method } = c.req;
    await span(
      method,
      { 'http.request.method': method, 'request.id': requestId },
      async (current) => {
        await next();
        const route = routeLabel(routePath(c));
        const { status } = c.res;
        current.rename(`${method} ${route}`);
        current.set({ 'http.route': route, 'http.response.status_code': status });
        setHeader(c, 'x-request-id', requestId);
        const line = { requestId, method, route, status, ms: Math.round(performance.now() - startedAt) };
        if (status >= 500) log.warn(line, 'request');
        else log.debug(line, 'request');
      },
      c.req.raw.headers,
    );
  };
}

/** In place, which copies nothing; the headers of an answer that came from elsewhere cannot be changed, so that one is copied. */
function setHeader(c: Context, name: string, value: string): void {
  try {
    c.res.headers.set(name, value);
  } catch {
    c.header(name, value);
  }
}
