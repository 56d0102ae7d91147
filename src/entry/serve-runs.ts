// The part of the api role that starts, shows and cancels runs, and hands them to the broker.
import { join } from 'node:path';
import type { Server } from 'node:http';
import { brokerUrl, dataDirectory, sandboxUrl } from '../net/addresses.ts';
import type { RequestHeaders } from '../net/authorization.ts';
import { groupOf } from '../process/process-roles.ts';
import { createFiguresClient, type FiguresClient } from '../broker/client/ask-figures.ts';
import type { Catalog } from '../catalog/connector-types.ts';
import { areCapWarningsDue } from '../enforcement/cap-warnings.ts';
import { isMailDue } from '../mail/mail-queue.ts';
import { loadModels } from '../catalog/load-models.ts';
import type { PlainRoutes } from '../http/shell/plain-routes.ts';
import { type RunRouteDeps, runsRouter, mountRunStreams } from '../http/runtime/run-routes.ts';
import { recipesRouter } from '../http/runtime/recipe-routes.ts';
import { type LiveChannel, mountLiveChannel } from '../http/runtime/live-channel.ts';
import type { Admission } from '../http/shell/admission/admission.ts';
import type { OpenStreams } from '../http/shell/streams/open-streams.ts';
import { scheduleControlRuns } from '../runs/delivery/control-schedule.ts';
import { createDispatcher, type Dispatcher } from '../runs/delivery/dispatch-run.ts';
import { ENGINE_KINDS } from '../runs/delivery/engine.ts';
import { createFindSandbox, type FindSandbox } from '../runs/delivery/find-sandbox.ts';
import { areRunMailsDue } from '../runs/delivery/run-mails.ts';
import { watchAuthority } from '../runs/delivery/watch-authority.ts';
import type { Announcer } from '../receipts/announce-appends.ts';
import { createSandboxClient } from '../sandbox/client.ts';
import type { Listener } from '../store/listen.ts';
import type { Caller } from '../tenancy/tokens/find-caller.ts';
import { openBroker } from './open-broker.ts';
import type { RoleDeps } from './role-deps.ts';
import { type ServedStanding, serveStanding } from './serve-standing.ts';

export interface RunServing {
  readonly catalog: Catalog;
  readonly listener: Listener;
  readonly announcer: Announcer;
  readonly streams: OpenStreams;
  readonly authenticate: (headers: RequestHeaders) => Promise<Caller>;
  readonly admission: Admission;
}

export interface ServedRuns {
  readonly routers: {
    readonly jobs: ReturnType<typeof runsRouter>;
    readonly recipes: ReturnType<typeof recipesRouter>;
  } & ServedStanding['routers'];
  readonly dispatcher: Dispatcher;
  readonly figures: FiguresClient;
  /** Absent if runs are executed without a sandbox: in tests. */
  readonly findSandbox: FindSandbox;
  mount(routes: PlainRoutes): void;
  /** Called once the server exists: the live channel. */
  listen(server: Server): void;
  close(): Promise<void>;
}

export function serveRuns(
  deps: RoleDeps,
  { catalog, listener, announcer, streams, authenticate, admission }: RunServing,
): ServedRuns {
  const { config, log, db } = deps;
  const broker = openBroker(deps);
  const dispatcher = createDispatcher({
    db,
    broker,
    driverGroup: groupOf('driver', config),
    engines: ENGINE_KINDS,
    log,
  });
  const mails = config.SERVICE_MAIL_FROM !== undefined;
  const schedule = scheduleControlRuns({
    db,
    dispatcher,
    log,
    isDue: {
      mail: async () => mails && ((await isMailDue(db, new Date())) || (await areRunMailsDue(db))),
      'cap-warnings': () => areCapWarningsDue(db, new Date()),
    },
  });
  void schedule.run();
  const authority = watchAuthority({ db, log, dispatcher, onAppended: announcer.announce });
  const figures = createFiguresClient(brokerUrl(config), config.SERVICE_BROKER_TOKEN);
  const findSandbox = createFindSandbox(createSandboxClient({ url: sandboxUrl(config) }));
  const routes: RunRouteDeps = {
    db,
    catalog,
    models: deps.models ?? loadModels(undefined),
    engines: ENGINE_KINDS,
    findSandbox,
    mostQueued: config.SERVICE_RUNS_QUEUED_PER_PERSON,
    listener,
    announcer,
    dispatcher,
    figures,
    artifactsDirectory: join(dataDirectory(config), 'artifacts'),
    streams,
    authenticate: (request) => authenticate(request.headers),
  };
  const standing = serveStanding(deps, routes, { broker, admission });
  let live: LiveChannel | undefined;
  return {
    routers: { jobs: runsRouter(routes), recipes: recipesRouter(routes), ...standing.routers },
    dispatcher,
    figures,
    findSandbox,
    mount(plain) {
      mountRunStreams(plain, routes);
      standing.mount(plain);
    },
    listen(server) {
      live = mountLiveChannel(server, { db, listener, streams, authenticate, log });
    },
    async close() {
      await live?.close();
      await standing.close();
      await authority.stop();
      await schedule.stop();
      await dispatcher.stop();
      await broker.stop();
      await figures.close();
    },
  };
}
