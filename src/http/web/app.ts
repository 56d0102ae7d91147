// The web server's routes, in the order in which they are tried: health, the printed contract, identity and OAuth,
// the session-authenticated API, and for everything else the browser app.
import type { KeyObject } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { type Clock, systemClock } from '../../base/clock.ts';
import { readConfig } from '../../base/config.ts';
import { joinReads } from '../../timing/join-reads.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { RemovalDeps } from '../../connections/remove-workspace-connections.ts';
import type { Settle } from '../../enforcement/budget.ts';
import { findSession, readSessionToken, type Session } from '../../identity/find-session.ts';
import type { IdentitySettings } from '../../identity/identity-settings.ts';
import type { Hashing } from '../../identity/passwords.ts';
import { type ModelSettings, readModelSettings } from '../../keys/model-settings.ts';
import type { Database } from '../../store/database.ts';
import type { Listener } from '../../store/listen.ts';
import { type EntranceRules, readEntranceRules } from '../../tenancy/entrance-rules.ts';
import { checkOrigin } from '../shell/check-origin.ts';
import { errorResponse } from '../shell/write-error.ts';
import { createGate, type Gate } from '../shell/gate.ts';
import { type PlainRoutes, plainRoutes, strangerOf } from '../shell/plain-routes.ts';
import { mountRpc } from '../shell/rpc.ts';
import { createDatabaseCheck } from '../shell/health.ts';
import { mountAttachments } from './attachment-routes.ts';
import { authorize } from './authorize.ts';
import type { BrowserApp } from './browser-app.ts';
import { mountIdentity } from './identity-routes.ts';
import { web, type WebContext } from './implement-web.ts';
import { guardrailRoutes } from './guardrail-routes.ts';
import { modelRoutes } from './model-routes.ts';
import { modelsAccountRoutes } from './models-account-routes.ts';
import { organizationRoutes } from './organization-routes.ts';
import { policyRoutes } from './policy-routes.ts';
import { providerKeyRoutes } from './provider-key-routes.ts';
import { securityHeaders } from './security-headers.ts';
import { threadRoutes } from './thread-routes.ts';
import { tokenRoutes } from './token-routes.ts';
import { usageRoutes } from './usage-routes.ts';
import { workspaceRoutes } from './workspace-routes.ts';

export interface WebDeps {
  readonly db: Database;
  readonly log: Log;
  /** From `readIdentitySettings(config)`. */
  readonly settings: IdentitySettings;
  /** From `connectKey(config)`. */
  readonly key: KeyObject;
  readonly browserApp: BrowserApp;
  /** From `readEntranceRules(config)`; what an empty environment gives when left out. */
  readonly rules?: EntranceRules;
  /** From `readModelSettings(config)`; what an empty environment gives when left out. */
  readonly models?: ModelSettings;
  /** How connections of a deleted workspace are deleted at the integration provider; left out, read repair does it later. */
  readonly integrations?: Pick<RemovalDeps, 'wrappingKey' | 'integrations'>;
  /** Hears what other processes do; without it the database is asked more often. */
  readonly listener?: Listener | undefined;
  /** Of this process's turns: what they used is written before usage is read. */
  readonly settle?: Pick<Settle, 'flush'>;
  /** Shared by everything that the process serves. */
  readonly gate?: Gate;
  readonly clock?: Clock;
  /** `SERVICE_STORAGE_PER_ORGANIZATION_BYTES`; its default when left out. */
  readonly storageBytes?: number;
  /** Of passwords; scrypt when left out. */
  readonly hashing?: Hashing;
}

/** What the web server serves besides, from rooms beside this one. */
export interface WebParts {
  /** The printed contract. */
  readonly describeApi: () => Promise<object>;
  readonly mountOAuth: (routes: PlainRoutes) => void;
}

export type WebApp = Hono<{ Bindings: HttpBindings }>;

const API_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** Paths of programs: what is not found there is an error, never a page of the app. */
const NO_PAGES = ['/api/*', '/v1/*', '/.well-known/*'];

export function createWebApp(deps: WebDeps, parts: WebParts): WebApp {
  const { db, log, settings, browserApp, gate = createGate(), clock = systemClock } = deps;
  const keyDeps = { ...(deps.models ?? readModelSettings(readConfig({}))), db, log };
  const rules = deps.rules ?? readEntranceRules(readConfig({}));
  const storageBytes = deps.storageBytes ?? readConfig({}).SERVICE_STORAGE_PER_ORGANIZATION_BYTES;
  const app: WebApp = new Hono();
  const headers = Object.entries(securityHeaders(settings.publicUrl));
  const notFound = (): Response => errorResponse(new AppError('not_found'), log);

  app.use(async (c, next) => {
    await next();
    for (const [name, value] of headers) if (!c.res.headers.has(name)) c.header(name, value);
  });
  app.onError((error) => errorResponse(error, log));

  const checkDatabase = createDatabaseCheck(db);
  const routes = plainRoutes(app, gate);
  const health = async (): Promise<Response> => {
    const { ok } = await checkDatabase();
    return ok
      ? Response.json({ ok }, { headers: { 'cache-control': 'no-store' } })
      : errorResponse(new AppError('unavailable'), log);
  };
  routes.on({ method: 'GET', path: '/healthz', cost: 'cheap', identify: strangerOf, handle: health });

  let document: Promise<object> | undefined;
  const describe = async (): Promise<Response> => Response.json(await (document ??= parts.describeApi()));
  routes.on({ method: 'GET', path: '/openapi.json', cost: 'cheap', identify: strangerOf, handle: describe });

  mountIdentity(app, { ...deps, rules, gate, clock });
  parts.mountOAuth(routes);

  const rpc = mountRpc<WebContext>(
    web.router({
      ...organizationRoutes({ db, clock, publicUrl: settings.publicUrl, demo: keyDeps.demo, rules }),
      ...workspaceRoutes({
        db,
        connections: { wrappingKey: undefined, integrations: undefined, ...deps.integrations, db, log },
      }),
      ...tokenRoutes({ db, key: deps.key, clock }),
      ...providerKeyRoutes(keyDeps),
      ...modelsAccountRoutes(keyDeps),
      ...modelRoutes(keyDeps),
      ...policyRoutes(keyDeps),
      ...usageRoutes({ db, settle: deps.settle, storageBytes }),
      ...guardrailRoutes({ db }),
      ...threadRoutes({ db, listener: deps.listener }),
    }),
    log,
    {
      gate,
      authorize: async (asked, context) =>
        context.session ? { ...context, membership: await authorize(db, context.session.user.id, asked) } : context,
    },
  );
  // However many requests a session sends at once, it is looked up once at a time.
  const joined = joinReads<Session | undefined>();
  const findPerson = async (request: Request): Promise<Session | undefined> => {
    const session = await joined(readSessionToken(request.headers, settings) ?? '', () =>
      findSession({ db, settings, clock }, request.headers),
    );
    if (session) checkOrigin(request, settings.publicUrl);
    return session;
  };
  mountAttachments(routes, {
    db,
    storageBytes,
    async authenticate(request) {
      const session = await findPerson(request);
      if (!session) throw new AppError('unauthenticated');
      return session.user.id;
    },
  });
  app.on(API_METHODS, '/api/*', async (c) => {
    const session = await findPerson(c.req.raw).catch(async (error: unknown) => {
      await rpc.note(c.req.raw);
      throw error;
    });
    // Nothing is read of who is not known: without a session the route alone decides between 401 and 404.
    const request = session
      ? c.req.raw
      : new Request(c.req.url.split('?', 1)[0] ?? c.req.url, { method: c.req.method });
    const response = await rpc.handle(request, { session, db }, session?.user.id);
    if (!response) return notFound();
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store');
    return response;
  });

  for (const path of NO_PAGES) app.all(path, notFound);
  routes.on({
    method: 'ALL',
    path: '*',
    cost: 'cheap',
    identify: strangerOf,
    handle: async (c) => (await browserApp.respond(c.req.raw)) ?? notFound(),
  });
  return app;
}
