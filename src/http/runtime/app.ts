// The HTTP interface of the api role. Order: the plain routes, then the routes of the contract, then not found.
import { type AnyRouter, type Context, traverseContractProcedures } from '@orpc/server';
import { Hono } from 'hono';
import type { Config } from '../../base/config.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import type { BuildInfo } from '../../process/build-info.ts';
import type { ProcessRole } from '../../process/process-roles.ts';
import { noteRequest } from '../../telemetry/request-scope.ts';
import type { connectContract, runtimeContract } from '../../contract/contract.ts';
import type { ScopedRouteMeta } from '../../contract/needs-scope.ts';
import type { MeasuredDatabase } from '../../store/measure-database.ts';
import { meterDatabase } from '../../store/meter-database.ts';
import type { Migrations } from '../../store/migrate.ts';
import type { Caller } from '../../tenancy/tokens/find-caller.ts';
import { requireScope } from '../shell/authenticate-token.ts';
import { errorResponse } from '../shell/write-error.ts';
import { createAdmission, type Admission } from '../shell/admission/admission.ts';
import { placesFor } from '../shell/admission/limits.ts';
import { noteRoute, type PlainRoutes, plainRoutes } from '../shell/plain-routes.ts';
import { requireUrlText } from '../shell/require-url-text.ts';
import { routePattern } from '../shell/route-pattern.ts';
import { mountRpc } from '../shell/rpc.ts';
import { mountDashboard } from './dashboard.ts';
import { type Mailer, NO_MAILER } from '../../mail/mailer.ts';
import type { DebugRuns } from './debug-runs.ts';
import { mountDebug } from './debug-routes.ts';
import { createFigures } from './figures.ts';
import { createDatabaseCheck, mountHealth } from '../shell/health.ts';
import { type Metrics, mountMetrics } from './metrics.ts';

export interface RuntimeAppDeps extends BuildInfo {
  readonly role: ProcessRole;
  readonly config: Config;
  readonly log: Log;
  readonly db: MeasuredDatabase;
  readonly migrations: Migrations;
  readonly metrics: Metrics;
  readonly routes: RuntimeRoutes;
  readonly jobs?: DebugRuns;
  /** Without it operators' acts send no mail. */
  readonly mailer?: Mailer;
  /** Shared by all routes of the process. */
  readonly admission?: Admission;
}

/** Authenticates the caller before the rest of the request is read. */
export type ContextOf = (request: Request) => Promise<{ readonly caller: Caller }>;

export interface RuntimeRoutes {
  /** Routes outside the contract: event streams, webhooks. They come first and may share a path with it. */
  readonly plain?: Readonly<Record<string, (routes: PlainRoutes) => void>>;
  /** The implemented parts of runtimeContract and connectContract, and the context of their handlers. */
  readonly contract?: {
    readonly routers: Partial<Readonly<Record<keyof typeof runtimeContract | keyof typeof connectContract, AnyRouter>>>;
    readonly context: ContextOf;
  };
}

export function createRuntimeApp({
  role,
  version,
  build,
  config,
  log,
  db,
  migrations,
  metrics,
  routes,
  jobs: runs,
  mailer = NO_MAILER,
  admission = createAdmission(placesFor(config.SERVICE_DB_POOL_MAX)),
}: RuntimeAppDeps): Hono {
  meterDatabase(db, metrics.meter);
  const checkDatabase = createDatabaseCheck(db);
  const figures = createFigures({ config, db, version, build, checkDatabase, broker: runs?.figures });

  const app = new Hono();
  app.use((c, next) => {
    requireUrlText(c.req.url);
    return next();
  });
  const plain = plainRoutes(app, admission);
  mountHealth(plain, { role, version, build, checkDatabase });
  mountMetrics(plain, metrics, figures);
  mountDashboard(plain, figures);
  mountDebug(app, plain, { config, log, db, migrations, version, build, figures, jobs: runs, mailer });
  for (const mount of Object.values(routes.plain ?? {})) mount(plain);
  for (const router of Object.values(routes.contract?.routers ?? {}))
    if (routes.contract) mountContract(app, router, routes.contract.context, { log, admission });
  app.notFound((c) =>
    isConnect(c.req.path)
      ? errorResponse(new AppError('not_found'), log)
      : c.text('Not found', 404, { 'cache-control': 'no-store' }),
  );
  app.onError((error) => errorResponse(error, log));
  return app;
}

/**
 * Mounts a part of the contract route by route, so that metrics and traces have the pattern of each route, and a path
 * without a route stays unknown.
 */
function mountContract(
  app: Hono,
  router: AnyRouter,
  contextOf: ContextOf,
  { log, admission }: { readonly log: Log; readonly admission: Admission },
): void {
  const rpc = mountRpc<Context>(router, log, { admission });
  traverseContractProcedures({ router, path: [] }, ({ contract }) => {
    const { route, meta } = contract['~orpc'];
    const { method = 'POST', path } = route;
    const { scope, cost } = meta as ScopedRouteMeta;
    if (path === undefined) throw new Error('a route of the contract has no path');
    const pattern = routePattern(path);
    noteRoute(app, { method, path: pattern, cost });
    app.on(method, pattern, async (c) => {
      noteRequest({ route: pattern });
      const context = await contextOf(c.req.raw);
      if (scope !== 'any') requireScope(context.caller, scope);
      return (await rpc.handle(c.req.raw, context, context.caller.userId)) ?? c.notFound();
    });
  });
}

/** Below /connect every answer is JSON. Elsewhere an unknown path gets plain text. */
function isConnect(path: string): boolean {
  return path === '/connect' || path.startsWith('/connect/');
}
