// The web server's routes, in the order in which they are tried: health, the printed contract, OAuth, identity, the
// session-authenticated API, and for everything else the browser app.
import type { KeyObject } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { type Clock, systemClock } from '../../base/clock.ts';
import { readConfig } from '../../base/config.ts';
import { joinReads } from '../../timing/join-reads.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import type { RemovalDeps } from '../../connections/remove-workspace-connections.ts';
import type { Settle } from '../../enforcement/budget.ts';
import { findSession, readSessionToken, type Session } from '../../identity/sessions/find-session.ts';
import type { IdentitySettings } from '../../identity/identity-settings.ts';
import type { OpenIdProvider } from '../../identity/openid/provider.ts';
import { createGuessLimit, type GuessLimit } from '../../identity/passwords/guess-limit.ts';
import { createPasswordRules, type RequireGoodPassword } from '../../identity/passwords/password-rules.ts';
import { createPasswords, type Hashing, type Passwords } from '../../identity/passwords/passwords.ts';
import { noteSeen } from '../../identity/sessions/note-seen.ts';
import { requireSecondFactorAt } from '../../identity/sessions/second-factor-demand.ts';
import { callerNetwork } from '../../net/caller-network.ts';
import { type Mailer, NO_MAILER } from '../../mail/mailer.ts';
import { type KeyDeps, type ModelSettings, readModelSettings } from '../../keys/model-settings.ts';
import type { Database } from '../../store/database.ts';
import type { Listener } from '../../store/listen.ts';
import type { TokenUses } from '../../tenancy/tokens/note-token-use.ts';
import { type SignUpRules, readSignUpRules } from '../../tenancy/members/sign-up-rules.ts';
import { checkOrigin } from '../shell/check-origin.ts';
import { clientAddress } from '../shell/client-address.ts';
import { tenancyTokens } from '../shell/tenancy-tokens.ts';
import { errorResponse } from '../shell/write-error.ts';
import { createAdmission, type Admission } from '../shell/admission/admission.ts';
import { type PlainRoutes, plainRoutes, anonymousSender } from '../shell/plain-routes.ts';
import { requireUrlText } from '../shell/require-url-text.ts';
import { mountRpc, type RpcRoutes } from '../shell/rpc.ts';
import { buildInfo } from '../../process/build-info.ts';
import { createDatabaseCheck } from '../shell/health.ts';
import { accountRoutes } from './account-routes.ts';
import { mountAttachments } from './attachment-routes.ts';
import { authorize, web, type WebContext } from './authorize.ts';
import type { BrowserApp } from './browser-app.ts';
import { feedbackRoutes } from './feedback-routes.ts';
import { mountExport } from './export-routes.ts';
import { importRoutes, mountImports } from './import-routes.ts';
import { mountIdentity } from './identity-routes.ts';
import { leavingRoutes } from './leaving-routes.ts';
import { organizationRoutes } from './organization-routes.ts';
import { mountProjectFiles, projectRoutes } from './project-routes.ts';
import { promptRoutes } from './prompt-routes.ts';
import { securityHeaders } from './security-headers.ts';
import { settingsRoutes } from './settings-routes.ts';
import { answerCsv, findCsv } from './csv-pages.ts';
import { spendRoutes } from './spend-routes.ts';
import { threadRoutes } from './thread-routes.ts';
import { workspaceRoutes } from './workspace-routes.ts';

export interface WebDeps {
  readonly db: Database;
  readonly log: Log;
  /** From `readIdentitySettings(config)`. */
  readonly settings: IdentitySettings;
  /** From `connectKey(config)`. */
  readonly key: KeyObject;
  readonly browserApp: BrowserApp;
  /** From `readSignUpRules(config)`; by default, from an empty environment. */
  readonly rules?: SignUpRules;
  /** From `readModelSettings(config)`; by default, from an empty environment. */
  readonly models?: ModelSettings;
  /**
   * Deletes the connections of a deleted workspace at the integration provider; without it, read repair does so later.
   */
  readonly integrations?: Pick<RemovalDeps, 'wrappingKey' | 'integrations'>;
  /** Receives notifications of other processes; without it the database is polled more often. */
  readonly listener?: Listener | undefined;
  /** Of this process's chat turns; their usage is written before usage is read. */
  readonly settle?: Pick<Settle, 'flush'>;
  /** Of this process; written before tokens are listed. */
  readonly tokenUses?: Pick<TokenUses, 'flush'>;
  /** Shared by all routes of the process. */
  readonly admission?: Admission;
  readonly clock?: Clock;
  /** `SERVICE_STORAGE_PER_ORGANIZATION_BYTES`, or its default. */
  readonly storageBytes?: number;
  /** `SERVICE_IMPORT_MAX_MIB`, or its default. */
  readonly importMib?: number;
  /** `SERVICE_DELETION_DAYS`, or its default. */
  readonly deletionDays?: number;
  /** For passwords; scrypt by default. */
  readonly hashing?: Hashing;
  /** From `readOpenIdSettings(config)`; without it people sign in here. */
  readonly openid?: OpenIdProvider | undefined;
  /** Without it no mail is sent. */
  readonly mailer?: Mailer;
}

/** Served by the same app, but implemented in the neighbouring rooms. */
export interface WebParts {
  /** The printed contract. */
  readonly describeApi: () => Promise<object>;
  readonly mountOAuth: (routes: PlainRoutes) => void;
  readonly mountScim: (routes: PlainRoutes) => void;
}

export type WebApp = Hono<{ Bindings: HttpBindings }>;

const API_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** Paths for programs: an unknown path below them gets an error, never a page of the app. */
const NO_PAGES = ['/api/*', '/v1/*', '/.well-known/*'];

export function createWebApp(deps: WebDeps, parts: WebParts): WebApp {
  const complete = withDefaults(deps);
  const { log, settings, browserApp, admission } = complete;
  const app: WebApp = new Hono();
  const headers = Object.entries(securityHeaders(settings.publicUrl));
  const notFound = (): Response => errorResponse(new AppError('not_found'), log);

  app.use(async (c, next) => {
    await next();
    for (const [name, value] of headers) if (!c.res.headers.has(name)) c.header(name, value);
  });
  app.onError((error) => errorResponse(error, log));

  const routes = plainRoutes(app, admission);
  mountPublic(routes, complete, parts);
  // Before the check of text: both report such a fault in their own shape.
  parts.mountOAuth(routes);
  parts.mountScim(routes);
  app.use((c, next) => {
    requireUrlText(c.req.url);
    return next();
  });
  mountIdentity(app, complete);
  mountApi(app, routes, complete, notFound);

  for (const path of NO_PAGES) app.all(path, notFound);
  routes.on({
    method: 'ALL',
    path: '*',
    cost: 'cheap',
    identify: anonymousSender,
    handle: async (c) => (await browserApp.respond(c.req.raw)) ?? notFound(),
  });
  return app;
}

interface CompleteDeps extends WebDeps {
  readonly rules: SignUpRules;
  readonly admission: Admission;
  readonly clock: Clock;
  readonly storageBytes: number;
  readonly importMib: number;
  readonly deletionDays: number;
  readonly mailer: Mailer;
  readonly keys: KeyDeps;
  readonly passwords: Passwords;
  /** Of passwords and codes: every way to sign in or to prove who one is counts together. */
  readonly guesses: GuessLimit;
  readonly requireGoodPassword: RequireGoodPassword;
}

function withDefaults(deps: WebDeps): CompleteDeps {
  const empty = readConfig({});
  return {
    ...deps,
    rules: deps.rules ?? readSignUpRules(empty),
    admission: deps.admission ?? createAdmission(),
    clock: deps.clock ?? systemClock,
    storageBytes: deps.storageBytes ?? empty.SERVICE_STORAGE_PER_ORGANIZATION_BYTES,
    importMib: deps.importMib ?? empty.SERVICE_IMPORT_MAX_MIB,
    deletionDays: deps.deletionDays ?? empty.SERVICE_DELETION_DAYS,
    mailer: deps.mailer ?? NO_MAILER,
    passwords: createPasswords(deps.hashing),
    guesses: createGuessLimit(),
    requireGoodPassword: createPasswordRules(deps.settings.publicUrl),
    keys: { ...(deps.models ?? readModelSettings(empty)), db: deps.db, log: deps.log },
  };
}

function mountPublic(routes: PlainRoutes, { db, log }: CompleteDeps, { describeApi }: WebParts): void {
  const checkDatabase = createDatabaseCheck(db);
  const health = async (): Promise<Response> => {
    const { ok } = await checkDatabase();
    return ok
      ? Response.json({ ok, ...buildInfo() }, { headers: { 'cache-control': 'no-store' } })
      : errorResponse(new AppError('unavailable'), log);
  };
  routes.on({ method: 'GET', path: '/healthz', cost: 'cheap', identify: anonymousSender, handle: health });

  let document: Promise<object> | undefined;
  const describe = async (): Promise<Response> => Response.json(await (document ??= describeApi()));
  routes.on({ method: 'GET', path: '/openapi.json', cost: 'cheap', identify: anonymousSender, handle: describe });
}

/** Everything under /api that needs a session: attachments, exports, imports, project files and the routes of the contract. */
function mountApi(app: WebApp, routes: PlainRoutes, deps: CompleteDeps, notFound: () => Response): void {
  const { db, storageBytes } = deps;
  const findPerson = createPersonFinder(deps);
  const getSession = async (request: Request): Promise<Session> => {
    const session = await findPerson(request);
    if (!session) throw new AppError('unauthenticated');
    return session;
  };
  const findUser = async (request: Request): Promise<Session['user']> => (await getSession(request)).user;
  const authenticate = async (request: Request): Promise<string> => (await findUser(request)).id;
  mountAttachments(routes, { db, storageBytes, getSession });
  mountExport(routes, { db, authenticate });
  mountProjectFiles(routes, { db, storageBytes, findUser });
  mountImports(routes, { db, storageBytes, authenticate });
  const rpc = mountContract(deps);
  app.on(API_METHODS, '/api/*', async (c) => {
    const session = await findPerson(c.req.raw).catch(async (error: unknown) => {
      await rpc.note(c.req.raw);
      throw error;
    });
    // Without a session neither query nor body is read: the route alone decides between 401 and 404.
    const request = session
      ? c.req.raw
      : new Request(c.req.url.split('?', 1)[0] ?? c.req.url, { method: c.req.method });
    const network = callerNetwork(clientAddress(c.req.raw, c.env));
    const ask = (asked: Request): Promise<Response | undefined> =>
      rpc.handle(asked, { session, db, network }, session?.user.id);
    const csv = findCsv(request);
    const response = await (csv ? answerCsv(csv, request, ask) : ask(request));
    if (!response) return notFound();
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store');
    return response;
  });
}

/** Concurrent requests of one session share one lookup. */
function createPersonFinder({
  db,
  log,
  settings,
  clock,
}: CompleteDeps): (request: Request) => Promise<Session | undefined> {
  const joined = joinReads<Session | undefined>();
  return async (request) => {
    const session = await joined(readSessionToken(request.headers, settings) ?? '', () =>
      findSession({ db, settings, clock }, request.headers),
    );
    if (!session) return undefined;
    checkOrigin(request, settings.publicUrl);
    noteSeen({ db, log }, session, clock());
    const { pathname: path } = new URL(request.url);
    await requireSecondFactorAt(db, session, { method: request.method, path });
    return session;
  };
}

function mountContract(deps: CompleteDeps): RpcRoutes<WebContext> {
  const { db, log, clock, keys, rules, admission } = deps;
  return mountRpc<WebContext>(
    web.router({
      ...accountRoutes({ ...deps, ...tenancyTokens(deps) }),
      ...organizationRoutes({
        db,
        clock,
        publicUrl: deps.settings.publicUrl,
        demo: keys.demo,
        rules,
        mailer: deps.mailer,
      }),
      ...leavingRoutes({ db, clock, mailer: deps.mailer, deletionDays: deps.deletionDays, ...tenancyTokens(deps) }),
      ...workspaceRoutes({
        db,
        connections: { wrappingKey: undefined, integrations: undefined, ...deps.integrations, db, log },
      }),
      ...settingsRoutes({
        keys,
        tokens: { db, key: deps.key, clock, uses: deps.tokenUses },
        usage: { db, settle: deps.settle, storageBytes: deps.storageBytes },
      }),
      ...threadRoutes({ db, listener: deps.listener, storageBytes: deps.storageBytes }),
      ...projectRoutes({ db }),
      ...feedbackRoutes({ db }),
      ...promptRoutes({ db }),
      ...importRoutes({ db, bounds: deps }),
      ...spendRoutes({ db, settle: deps.settle }),
    }),
    log,
    {
      admission,
      authorize: async (route, context) =>
        context.session ? { ...context, membership: await authorize(db, context.session, route) } : context,
    },
  );
}
