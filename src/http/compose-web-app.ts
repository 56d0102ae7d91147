// The web server's app with the parts that other directories implement: OAuth for MCP clients, SCIM, and the printed
// contract.
import { systemClock } from '../base/clock.ts';
import { readConfig } from '../base/config.ts';
import { readSignUpRules } from '../tenancy/members/sign-up-rules.ts';
import { mountOAuth } from './oauth/mount-oauth.ts';
import { openApiDocument } from './openapi.ts';
import { type MountScimDeps, mountScim } from './scim/mount-scim.ts';
import { tenancyTokens } from './shell/tenancy-tokens.ts';
import { createWebApp, type WebApp, type WebDeps } from './web/app.ts';

export function composeWebApp(deps: WebDeps): WebApp {
  return createWebApp(deps, {
    describeApi: () => openApiDocument(deps.settings.publicUrl),
    mountOAuth: (routes) => mountOAuth(routes, { ...deps, clock: deps.clock ?? systemClock }),
    mountScim: (routes) => mountScim(routes, scimDeps(deps)),
  });
}

function scimDeps(deps: WebDeps): MountScimDeps {
  const { db, log, key, settings, clock = systemClock } = deps;
  const empty = readConfig({});
  return {
    db,
    log,
    clock,
    publicUrl: settings.publicUrl,
    rules: deps.rules ?? readSignUpRules(empty),
    deletionDays: deps.deletionDays ?? empty.SERVICE_DELETION_DAYS,
    ...tenancyTokens({ db, clock, key }),
  };
}
