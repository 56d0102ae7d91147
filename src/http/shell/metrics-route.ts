// GET /metrics of a process, scraped on its own port. The gateway forwards this path only to the runtime, and marks
// what it forwards: a forwarded request that reaches another process gets 404.
import type { RequestListener, ServerResponse } from 'node:http';
import type { ProcessMeter } from '../../telemetry/metrics/create-meter.ts';
import { noteRequest } from '../../telemetry/request-scope.ts';
import { pathOf, type RawRoute } from './raw-route.ts';

type Rendered = Pick<ProcessMeter, 'render' | 'contentType'>;

export function metricsRoute(meter: Rendered): RawRoute {
  return {
    cost: 'cheap',
    matches: (method, path) => method === 'GET' && path === '/metrics',
    handle(request, response) {
      noteRequest({ route: '/metrics' });
      if (request.headers['x-forwarded-for'] === undefined) return void sendMetrics(meter, response);
      notFound(response);
    },
  };
}

/** A server that serves nothing else. */
export function metricsListener(meter: Rendered): RequestListener {
  const route = metricsRoute(meter);
  return (request, response) => {
    if (route.matches(request.method ?? '', pathOf(request))) void route.handle(request, response);
    else notFound(response);
  };
}

export async function sendMetrics({ render, contentType }: Rendered, response: ServerResponse): Promise<void> {
  const text = await render().catch(() => undefined);
  if (text === undefined) response.writeHead(500, { 'cache-control': 'no-store' }).end();
  else response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text);
}

function notFound(response: ServerResponse): void {
  response
    .writeHead(404, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    .end('Not found');
}
