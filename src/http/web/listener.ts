// Where a request enters the web server: hot paths go to raw handlers, the rest to the app.
import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Log } from '../../base/log.ts';
import type { HttpMeter } from '../../base/metrics/http-meter.ts';
import { pathOf, type RawRoute } from '../shell/raw-route.ts';
import { serveScoped } from '../shell/serve-scoped.ts';
import type { WebApp } from './app.ts';

export function webListener(app: WebApp, rawRoutes: readonly RawRoute[], log: Log, meter?: HttpMeter): RequestListener {
  const toApp = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const route: RequestListener = (request, response) => {
    const path = pathOf(request);
    const raw = rawRoutes.find((one) => one.matches(request.method ?? 'GET', path));
    if (raw) raw.handle(request, response);
    else void toApp(request, response);
  };
  return serveScoped(route, { log, meter });
}
