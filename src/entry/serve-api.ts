import { join } from 'node:path';
import { dataDirectory } from '../net/addresses.ts';
import type { RequestHeaders } from '../net/authorization.ts';
import { systemClock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { joinReads } from '../timing/join-reads.ts';
import type { Log } from '../telemetry/log.ts';
import type { Stop } from '../process/run-process.ts';
import { authenticateToken, readToken } from '../http/shell/authenticate-token.ts';
import { createAdmission } from '../http/shell/admission/admission.ts';
import { placesFor } from '../http/shell/admission/limits.ts';
import { connectionsRouter } from '../http/runtime/connection-routes.ts';
import { mountConnectionStream } from '../http/runtime/connection-stream.ts';
import { openMailer } from '../mail/create-mailer.ts';
import { createRuntimeApp, type RuntimeRoutes } from '../http/runtime/app.ts';
import { appListener } from '../http/shell/app-listener.ts';
import { createMetrics } from '../http/runtime/metrics.ts';
import { mountReceiptStreams, receiptsRouter } from '../http/runtime/receipts-routes.ts';
import { callerRouter } from '../http/runtime/caller-routes.ts';
import { sandboxRouter } from '../http/runtime/sandbox-routes.ts';
import { mountIntegrationWebhook } from '../http/runtime/webhook-routes.ts';
import { serve } from '../http/shell/serve.ts';
import { createOpenStreams } from '../http/shell/streams/open-streams.ts';
import { createAnnouncer } from '../receipts/announce-appends.ts';
import { scheduleCheckpoints } from '../receipts/save-checkpoint.ts';
import { createReceiptWriter } from '../receipts/receipt-writer.ts';
import { openListener } from '../store/listen.ts';
import { connectKey } from '../tenancy/tokens/connect-key.ts';
import type { Caller } from '../tenancy/tokens/find-caller.ts';
import { createTokenUses } from '../tenancy/tokens/note-token-use.ts';
import { createTokenVerifier, type TokenVerifier } from '../tenancy/tokens/verify-token.ts';
import { openConnections } from './open-connections.ts';
import type { RoleDeps } from './role-deps.ts';
import { serveRuns } from './serve-runs.ts';
import { serveTools } from './serve-tools.ts';

/** The api role, which serves the runtime's port. */
export async function serveApi(deps: RoleDeps): Promise<Stop> {
  const { config, log, db } = deps;
  const tokenUses = createTokenUses(db, log);
  const verifier = tokenVerifier(config, log, tokenUses.note);
  const listener = openListener(db, log);
  const [directory, everySeconds] = [
    join(dataDirectory(config), 'checkpoints'),
    config.SERVICE_RECEIPT_CHECKPOINT_SECONDS,
  ];
  const checkpoints = scheduleCheckpoints({ db, directory, everySeconds, log });

  // Concurrent requests with the same token share one lookup.
  const joined = joinReads<Caller>();
  const authenticateHeaders = (headers: RequestHeaders): Promise<Caller> =>
    joined(readToken(headers) ?? '', () => authenticateToken({ db, verifier }, headers));
  const authenticate = (request: Request): Promise<Caller> => authenticateHeaders(request.headers);
  const streams = createOpenStreams({ db, log });
  const admission = createAdmission(placesFor(config.SERVICE_DB_POOL_MAX), systemClock, deps.meter);
  const receipts = { db, listener, streams, authenticate };
  const connections = openConnections({ config, log, db });
  const announcer = createAnnouncer(db, log);
  const writer = createReceiptWriter({ db, clock: systemClock, onAppended: announcer.announce });
  const tools = serveTools(deps, {
    catalog: connections.catalog,
    nango: connections.integrations?.client,
    receipts: writer,
    streams,
    authenticate: authenticateHeaders,
    admission,
  });
  const runs = serveRuns(deps, {
    catalog: connections.catalog,
    listener,
    announcer,
    streams,
    authenticate: authenticateHeaders,
    admission,
  });
  const routes: RuntimeRoutes = {
    plain: {
      receipts: (plain) => mountReceiptStreams(plain, receipts),
      connections: (plain) => mountConnectionStream(plain, { ...connections, listener, streams, authenticate }),
      webhook: (plain) => mountIntegrationWebhook(plain, connections),
      tools: (plain) => tools.mount(plain),
      jobs: (plain) => runs.mount(plain),
    },
    contract: {
      routers: {
        jobs: runs.router,
        triggers: runs.triggersRouter,
        schedules: runs.schedulesRouter,
        receipts: receiptsRouter(receipts),
        sandbox: sandboxRouter(runs.findSandbox),
        caller: callerRouter(db),
        connections: connectionsRouter(connections),
      },
      context: async (request) => ({ caller: await authenticate(request) }),
    },
  };
  const metrics = createMetrics(deps, deps.meter);
  const mailer = openMailer(config, 'system:api');
  const app = createRuntimeApp({ ...deps, metrics, routes, jobs: runs, mailer, admission });
  const serving = await serve(appListener(app, [tools.mcp], { log, meter: metrics.http }), {
    port: config.SERVICE_RUNTIME_PORT,
    host: config.SERVICE_LISTEN_HOST,
    drainMs: config.SERVICE_DRAIN_SECONDS * 1_000,
  });
  runs.listen(serving.server);
  log.info({ port: serving.port }, 'listening');

  return async () => {
    await runs.close();
    streams.close();
    await serving.close();
    await tools.close();
    await writer.drain();
    await announcer.flush();
    await connections.close();
    await tokenUses.close();
    await checkpoints.stop();
    await listener.close();
  };
}

/** Without a secret the role still serves what needs no token; every token is refused. */
function tokenVerifier(config: Config, log: Log, noteUse: (tokenId: string) => void): TokenVerifier {
  const secret = config.SERVICE_CONNECT_JWT_SECRET ?? config.AUTH_SECRET;
  if (secret === undefined) {
    log.warn('no connect token can be verified: set SERVICE_CONNECT_JWT_SECRET, or AUTH_SECRET to fall back to');
    return { verify: () => Promise.resolve(undefined) };
  }
  if (config.SERVICE_DEBUG_JWT_SECRET === secret)
    log.warn('SERVICE_DEBUG_JWT_SECRET is also the secret of connect tokens: use a different secret for diagnostics');
  return createTokenVerifier(connectKey(config), systemClock, noteUse);
}
