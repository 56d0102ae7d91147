// Where a request enters a server: it gets an id, which is in its response and in the log, and it is counted when it
// has ended.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Log } from '../../telemetry/log.ts';
import type { HttpMeter } from '../../telemetry/metrics/http-meter.ts';
import { type RequestScope, serveInScope } from '../../telemetry/request-scope.ts';
import { type CurrentSpan, isTracing, span } from '../../telemetry/telemetry.ts';
import { requestIdOf } from './raw-route.ts';
import type { Listener } from './serve.ts';

export interface Watching {
  readonly meter?: HttpMeter | undefined;
  /** Gets a line for every request, most of them at level debug. */
  readonly log?: Log;
}

export function serveScoped(listener: Listener, { meter, log }: Watching = {}): RequestListener {
  return (request, response) => {
    const startedAt = performance.now();
    const scope: RequestScope = {
      requestId: requestIdOf(request.headers['x-request-id']),
      method: request.method ?? 'GET',
    };
    response.setHeader('x-request-id', scope.requestId);
    let begunAt: number | undefined;
    if (meter) {
      meter.began();
      whenBegun(response, () => (begunAt ??= performance.now()));
    }
    response.once('close', () => {
      const { requestId, method, route = 'unknown', organization, code } = scope;
      const { statusCode: status } = response;
      meter?.ended({
        method,
        route: route === '*' ? 'page' : route,
        status,
        code,
        seconds: ((begunAt ?? performance.now()) - startedAt) / 1000,
        left: !response.writableFinished,
      });
      if (!log) return;
      const line = { requestId, method, route, organization, status, ms: Math.round(performance.now() - startedAt) };
      if (status >= 500) log.warn(line, 'request answered with a server error');
      else log.debug(line, 'request');
    });
    const begin = (): void => serveInScope(scope, () => void listener(request, response));
    if (isTracing()) traced(request, response, scope, begin);
    else begin();
  };
}

/** A span from here to the end of the response, which continues the caller's trace. */
function traced({ headers }: IncomingMessage, response: ServerResponse, scope: RequestScope, begin: () => void): void {
  const { method, requestId } = scope;
  const read = (name: string): string | undefined => (typeof headers[name] === 'string' ? headers[name] : undefined);
  const work = (current: CurrentSpan): Promise<void> =>
    new Promise((resolve) => {
      response.once('close', () => {
        const { route = 'unknown', code } = scope;
        current.rename(`${method} ${route}`);
        current.set({ 'http.route': route, 'http.response.status_code': response.statusCode, 'error.type': code });
        resolve();
      });
      begin();
    });
  void span(method, { 'http.request.method': method, 'request.id': requestId }, work, { read, kind: 'server' });
}

/** Every response begins with a call of `writeHead`. */
function whenBegun(response: ServerResponse, tell: () => void): void {
  const { writeHead } = response;
  response.writeHead = ((...given: Parameters<typeof writeHead>) => {
    tell();
    return writeHead.apply(response, given);
  }) as typeof writeHead;
}
