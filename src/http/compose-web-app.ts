// The web server's app with the parts that other directories implement: OAuth for MCP clients, and the printed
// contract.
import { systemClock } from '../base/clock.ts';
import { mountOAuth } from './oauth/mount-oauth.ts';
import { openApiDocument } from './openapi.ts';
import { createWebApp, type WebApp, type WebDeps } from './web/app.ts';

export function composeWebApp(deps: WebDeps): WebApp {
  return createWebApp(deps, {
    describeApi: () => openApiDocument(deps.settings.publicUrl),
    mountOAuth: (routes) => mountOAuth(routes, { ...deps, clock: deps.clock ?? systemClock }),
  });
}
