// The part of the api role that starts runs without a person, and tells others what happened: schedules, triggers and
// subscriptions; and what runs work in.
import { publicUrl } from '../net/addresses.ts';
import { groupOf } from '../process/process-roles.ts';
import type { RoleBroker } from '../broker/client/connect-role.ts';
import type { Admission } from '../http/shell/admission/admission.ts';
import type { PlainRoutes } from '../http/shell/plain-routes.ts';
import { mountHooks } from '../http/runtime/hook-route.ts';
import { environmentsRouter } from '../http/runtime/environment-routes.ts';
import type { RunRouteDeps } from '../http/runtime/run-routes.ts';
import { schedulesRouter } from '../http/runtime/schedule-routes.ts';
import { subscriptionsRouter } from '../http/runtime/subscription-routes.ts';
import { type TriggerRouteDeps, triggersRouter } from '../http/runtime/trigger-routes.ts';
import { dispatchMessages } from '../runs/delivery/dispatch-messages.ts';
import { runSchedules } from '../runs/schedules/run-schedules.ts';
import { scheduleDeliveries } from '../runs/triggers/finish-deliveries.ts';
import type { RoleDeps } from './role-deps.ts';

export interface ServedStanding {
  readonly routers: {
    readonly schedules: ReturnType<typeof schedulesRouter>;
    readonly triggers: ReturnType<typeof triggersRouter>;
    readonly subscriptions: ReturnType<typeof subscriptionsRouter>;
    readonly environments: ReturnType<typeof environmentsRouter>;
  };
  mount(routes: PlainRoutes): void;
  close(): Promise<void>;
}

export function serveStanding(
  { config, log, db, meter }: RoleDeps,
  routes: RunRouteDeps,
  { broker, admission }: { readonly broker: RoleBroker; readonly admission: Admission },
): ServedStanding {
  const sealingKey = config.SERVICE_CONNECTION_ENCRYPTION_KEY_B64;
  const triggers: TriggerRouteDeps = {
    ...routes,
    sealingKey,
    mostTriggers: config.SERVICE_TRIGGERS_PER_WORKSPACE,
    publicUrl: publicUrl(config),
    meter,
  };
  const rules = {
    perPerson: config.SERVICE_SCHEDULES_PER_PERSON,
    minSeconds: config.SERVICE_SCHEDULE_MIN_SECONDS,
  };
  const clock = runSchedules({ ...routes, log, meter });
  const deliveries = scheduleDeliveries(triggers, log);
  const messages = dispatchMessages({ db, broker, group: groupOf('worker-control', config), log });
  return {
    routers: {
      schedules: schedulesRouter({ ...routes, rules }),
      triggers: triggersRouter(triggers),
      subscriptions: subscriptionsRouter({
        db,
        wrappingKey: sealingKey,
        allowPrivateUrls: config.SERVICE_ALLOW_PRIVATE_URLS,
        mostSubscriptions: config.SERVICE_SUBSCRIPTIONS_PER_WORKSPACE,
      }),
      environments: environmentsRouter({
        db,
        catalog: routes.catalog,
        sealingKey,
        allowPrivateUrls: config.SERVICE_ALLOW_PRIVATE_URLS,
      }),
    },
    mount: (plain) => mountHooks(plain, triggers, admission),
    async close() {
      await clock.stop();
      await deliveries.stop();
      await messages.stop();
    },
  };
}
