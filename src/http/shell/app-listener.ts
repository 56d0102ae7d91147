// Where a request enters a server that has an app: hot paths go to raw handlers, the rest to the app.
import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { pathOf, type RawRoute } from './raw-route.ts';
import { serveScoped, type Watching } from './serve-scoped.ts';

export interface FetchApp {
  readonly fetch: Parameters<typeof getRequestListener>[0];
}

export function appListener(app: FetchApp, rawRoutes: readonly RawRoute[], watching: Watching): RequestListener {
  const toApp = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  return serveScoped((request, response) => {
    const path = pathOf(request);
    const raw = rawRoutes.find((one) => one.matches(request.method ?? 'GET', path));
    void (raw ? raw.handle(request, response) : toApp(request, response));
  }, watching);
}
