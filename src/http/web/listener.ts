// Where a request enters the web server: it gets an id and a line in the log, hot paths go to raw handlers, the
// rest to the app.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { newId } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import type { WebApp } from './app.ts';

export interface RawRoute {
  /** The path comes without its query. */
  matches(method: string, path: string): boolean;
  handle(request: IncomingMessage, response: ServerResponse): void;
}

export function webListener(app: WebApp, rawRoutes: readonly RawRoute[], log: Log): RequestListener {
  const toApp = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return (request, response) => {
    const startedAt = performance.now();
    const { method = 'GET', url = '/' } = request;
    const query = url.indexOf('?');
    const path = query < 0 ? url : url.slice(0, query);
    const requestId = readRequestId(request) ?? newId('req');
    response.setHeader('x-request-id', requestId);
    response.once('close', () => {
      const line = { requestId, method, path, status: response.statusCode, ms: Math.round(performance.now() - startedAt) };
      if (response.statusCode >= 500) log.warn(line, 'request answered with a failure');
      else log.debug(line, 'request');
    });
    const raw = rawRoutes.find((route) => route.matches(method, path));
    if (raw) raw.handle(request, response);
    else void toApp(request, response);
  };
}

/** The gateway's id of the request, when it gave one. */
function readRequestId({ headers }: IncomingMessage): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : undefined;
}
