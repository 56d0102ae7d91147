// Operator diagnostics. Access is checked before anything else, for every path below, including those that do not
// exist; each access is logged without its credential.
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { type Config, processEnvironment } from '../../base/config.ts';
import { AppError } from '../../base/errors.ts';
import type { BuildInfo } from '../../process/build-info.ts';
import type { Log } from '../../telemetry/log.ts';
import { noteRequest } from '../../telemetry/request-scope.ts';
import { describeReceipts, isReceiptStatement } from '../../receipts/describe-receipts.ts';
import { describeDatabase } from '../../store/describe-database.ts';
import type { MeasuredDatabase } from '../../store/measure-database.ts';
import type { Migrations } from '../../store/migrate.ts';
import { systemClock } from '../../base/clock.ts';
import { type Mailer, NO_MAILER } from '../../mail/mailer.ts';
import type { OperateDeps } from '../../leaving/operate.ts';
import { connectKey } from '../../tenancy/tokens/connect-key.ts';
import { tenancyTokens } from '../shell/tenancy-tokens.ts';
import { listProcesses } from '../../store/process-registry.ts';
import { describeRuns } from '../../runs/reading/describe-runs.ts';
import type { RouteCost } from '../../contract/route-cost.ts';
import { errorResponse } from '../shell/write-error.ts';
import { isTextFault, parseJson } from '../../base/parse-json.ts';
import type { PlainRoutes } from '../shell/plain-routes.ts';
import { checkDebugAccess, type DebugCaller } from './debug-access.ts';
import { describeConfig } from './debug-config.ts';
import { DEBUG_INDEX } from './debug-index.ts';
import { checkEverything } from './debug-health.ts';
import { type DebugRuns, startDebugRun } from './debug-runs.ts';
import {
  ACCOUNT_PATHS,
  listAccounts,
  listActs,
  operateAccount,
  orderResetLink,
  POSTED_ACTS,
} from './debug-accounts.ts';
import { changePlan, orderOrganization } from './debug-organization.ts';
import type { RuntimeFigures } from './figures.ts';

export interface DebugDeps extends BuildInfo {
  readonly config: Config;
  readonly log: Log;
  readonly db: MeasuredDatabase;
  readonly migrations: Migrations;
  readonly figures: () => Promise<RuntimeFigures>;
  /** Absent if the process has no broker. */
  readonly jobs?: DebugRuns | undefined;
  /** Without it no mail is sent. */
  readonly mailer?: Mailer;
}

const DEBUG_PATHS = '/service-debug/*';

/** The middleware has already checked the debug token. */
const OPERATOR = { userId: 'operator' };

/** Who the middleware found behind a request; for the record of operators' acts. */
const callers = new WeakMap<Request, DebugCaller>();

export function mountDebug(app: Hono, routes: PlainRoutes, deps: DebugDeps): void {
  const { config, db, migrations, version, build, figures } = deps;
  app.use(DEBUG_PATHS, requireAccess(deps));
  const mount = (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    cost: RouteCost,
    handle: (c: Context, body: unknown) => Promise<Response> | Response,
  ): void =>
    routes.on({
      method,
      path,
      cost,
      ...(method === 'POST' || method === 'PUT' ? { body: 'operator' as const } : {}),
      identify: () => OPERATOR,
      handle: (c, _operator, body) => handle(c, parse(body)),
    });
  for (const path of ['/service-debug', '/service-debug/'])
    mount('GET', path, 'cheap', (c) => c.json({ ok: true, version, build, routes: DEBUG_INDEX }));
  mount('GET', '/service-debug/health', 'database', async (c) =>
    c.json(await checkEverything(db, migrations, await figures())),
  );
  mount('GET', '/service-debug/processes', 'database', async (c) => c.json({ processes: await listProcesses(db) }));
  mount('GET', '/service-debug/config', 'cheap', (c) =>
    c.json({ variables: describeConfig(config, processEnvironment()) }),
  );
  mount('GET', '/service-debug/database', 'database', async (c) => c.json(await describeDatabase(db)));
  mount('GET', '/service-debug/receipts', 'database', async (c) => {
    const slowestStatements = db.slowest(200).filter(({ sql }) => isReceiptStatement(sql));
    return c.json({ ...(await describeReceipts(db)), slowestStatements: slowestStatements.slice(0, 10) });
  });
  mount('GET', '/service-debug/jobs', 'database', async (c) =>
    c.json({ ...(await describeRuns(db)), broker: await readBroker(deps.jobs) }),
  );
  mount('GET', '/service-debug/broker', 'provider', async (c) => c.json(await readBroker(deps.jobs)));
  mount('GET', '/service-debug/sandbox', 'provider', async (c) => c.json(await readSandbox(deps.jobs)));
  mount('POST', '/service-debug/jobs', 'database', async (c, body) =>
    c.json(await startDebugRun(db, deps.jobs, body), 202),
  );
  mount('POST', '/service-debug/organizations', 'database', async (c, body) =>
    c.json(await orderOrganization(db, config, body), 201),
  );
  mount('PUT', '/service-debug/organizations/:org/plan', 'database', async (c, body) =>
    c.json(await changePlan(db, c.req.param('org') ?? '', body)),
  );
  mountAccounts(mount, deps);
}

type Mount = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  cost: RouteCost,
  handle: (c: Context) => Promise<Response>,
) => void;

function mountAccounts(mount: Mount, { config, db, mailer = NO_MAILER }: DebugDeps): void {
  const clock = systemClock;
  const tokens = (): ReturnType<typeof tenancyTokens> => tenancyTokens({ db, clock, key: connectKey(config) });
  const deps = (): OperateDeps => ({ db, clock, mailer, deletionDays: config.SERVICE_DELETION_DAYS, ...tokens() });
  for (const kind of ['person', 'organization'] as const) {
    const path = `/service-debug/${ACCOUNT_PATHS[kind]}`;
    mount('GET', path, 'database', async (c) => c.json(await listAccounts(db, kind, c.req.query())));
    const act = (name: string) => async (c: Context) =>
      c.json(
        await operateAccount(deps(), { kind, act: name, subject: c.req.param('id') ?? '', operator: nameOperator(c) }),
      );
    for (const posted of POSTED_ACTS)
      if (posted.kind === kind) mount('POST', `${path}/:id/${posted.act}`, 'database', act(posted.act));
    mount('DELETE', `${path}/:id`, 'database', act('delete'));
  }
  mount('POST', '/service-debug/people/:id/reset-password', 'database', async (c) =>
    c.json(
      await orderResetLink({ db, clock, config }, { subject: c.req.param('id') ?? '', operator: nameOperator(c) }),
    ),
  );
  mount('GET', '/service-debug/acts', 'database', async (c) => c.json(await listActs(db, c.req.query())));
}

function nameOperator(c: Context): string {
  const caller = callers.get(c.req.raw);
  return caller?.by === 'jwt' && caller.subject !== undefined ? `operator:${caller.subject}` : 'operator';
}

/** Undefined for anything that is not JSON, which each route refuses itself. */
function parse(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    if (isTextFault(error)) throw error;
    return undefined;
  }
}

/** A broker that does not respond is a finding, not a failure of this route. */
async function readBroker(runs: DebugRuns | undefined): Promise<object> {
  if (!runs) return { reachable: false, reason: 'this process has no broker' };
  return runs.figures.all().then(
    (figures) => ({ reachable: true, ...figures }),
    (error: Error) => ({ reachable: false, reason: error.message }),
  );
}

/** The same goes for the sandbox controller. */
async function readSandbox(runs: DebugRuns | undefined): Promise<object> {
  const health = await runs?.findSandbox?.();
  return health
    ? { reachable: true, ...health }
    : { reachable: false, reason: 'the sandbox controller does not respond' };
}

function requireAccess({ config, log }: DebugDeps): MiddlewareHandler {
  return async (c, next) => {
    const { method, path } = c.req;
    noteRequest({ route: DEBUG_PATHS });
    try {
      const caller = await checkDebugAccess(config, c.req.raw.headers);
      callers.set(c.req.raw, caller);
      await next();
      c.header('cache-control', 'no-store');
      log.info({ method, path, status: c.res.status, ...caller }, 'diagnostics');
    } catch (error) {
      const refused = errorResponse(
        error,
        log,
        error instanceof AppError && error.code === 'unauthenticated'
          ? { 'www-authenticate': 'Bearer realm="service-debug"' }
          : {},
      );
      log.info({ method, path, status: refused.status }, 'diagnostics refused');
      return refused;
    }
  };
}
