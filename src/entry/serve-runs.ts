// The part of the api role that starts, shows and cancels runs, and hands them to the broker.
import { join } from 'node:path';
import type { Server } from 'node:http';
import { brokerUrl, dataDirectory, publicUrl, sandboxUrl } from '../net/addresses.ts';
import type { RequestHeaders } from '../net/authorization.ts';
import { groupOf } from '../process/process-roles.ts';
import { createFiguresClient, type FiguresClient } from '../broker/client/ask-figures.ts';
import type { Catalog } from '../catalog/connector-types.ts';
import { areCapWarningsDue } from '../enforcement/cap-warnings.ts';
import { isMailDue } from '../mail/mail-queue.ts';
import { loadModels } from '../catalog/load-models.ts';
import type { PlainRoutes } from '../http/shell/plain-routes.ts';
import { type RunRouteDeps, runsRouter, mountRunStreams } from '../http/runtime/run-routes.ts';
import { mountHooks } from '../http/runtime/hook-route.ts';
import { type TriggerRouteDeps, triggersRouter } from '../http/runtime/trigger-routes.ts';
import { type ScheduleRouteDeps, schedulesRouter } from '../http/runtime/schedule-routes.ts';
import { type LiveChannel, mountLiveChannel } from '../http/runtime/live-channel.ts';
import type { Admission } from '../http/shell/admission/admission.ts';
import type { OpenStreams } from '../http/shell/streams/open-streams.ts';
import { scheduleControlRuns } from '../runs/delivery/control-schedule.ts';
import { createDispatcher, type Dispatcher } from '../runs/delivery/dispatch-run.ts';
import { ENGINE_KINDS } from '../runs/delivery/engine.ts';
import { createFindSandbox, type FindSandbox } from '../runs/delivery/find-sandbox.ts';
import { scheduleDeliveries } from '../runs/triggers/finish-deliveries.ts';
import { runSchedules } from '../runs/schedules/run-schedules.ts';
import { watchAuthority } from '../runs/delivery/watch-authority.ts';
import type { Announcer } from '../receipts/announce-appends.ts';
import { createSandboxClient } from '../sandbox/client.ts';
import type { Listener } from '../store/listen.ts';
import type { Caller } from '../tenancy/tokens/find-caller.ts';
import { openBroker } from './open-broker.ts';
import type { RoleDeps } from './role-deps.ts';

export interface RunServing {
  readonly catalog: Catalog;
  readonly listener: Listener;
  readonly announcer: Announcer;
  readonly streams: OpenStreams;
  readonly authenticate: (headers: RequestHeaders) => Promise<Caller>;
  readonly admission: Admission;
}

export interface ServedRuns {
  readonly router: ReturnType<typeof runsRouter>;
  readonly triggersRouter: ReturnType<typeof triggersRouter>;
  readonly schedulesRouter: ReturnType<typeof schedulesRouter>;
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
      mail: async () => mails && (await isMailDue(db, new Date())),
      'cap-warnings': async () => mails && (await areCapWarningsDue(db, new Date())),
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
  const hooks = triggerDeps(deps, routes);
  const deliveries = scheduleDeliveries(hooks, log);
  const schedules: ScheduleRouteDeps = {
    ...routes,
    rules: {
      perPerson: config.SERVICE_SCHEDULES_PER_PERSON,
      minSeconds: config.SERVICE_SCHEDULE_MIN_SECONDS,
    },
  };
  const clock = runSchedules({ ...routes, log, meter: deps.meter });
  let live: LiveChannel | undefined;
  return {
    router: runsRouter(routes),
    schedulesRouter: schedulesRouter(schedules),
    triggersRouter: triggersRouter(hooks),
    dispatcher,
    figures,
    findSandbox,
    mount(plain) {
      mountRunStreams(plain, routes);
      mountHooks(plain, hooks, admission);
    },
    listen(server) {
      live = mountLiveChannel(server, { db, listener, streams, authenticate, log });
    },
    async close() {
      await live?.close();
      await clock.stop();
      await authority.stop();
      await deliveries.stop();
      await schedule.stop();
      await dispatcher.stop();
      await broker.stop();
      await figures.close();
    },
  };
}

function triggerDeps({ config, db, meter }: RoleDeps, routes: RunRouteDeps): TriggerRouteDeps {
  return {
    ...routes,
    db,
    sealingKey: config.SERVICE_CONNECTION_ENCRYPTION_KEY_B64,
    mostTriggers: config.SERVICE_TRIGGERS_PER_WORKSPACE,
    publicUrl: publicUrl(config),
    meter,
  };
}
