// Triggers over HTTP: making and changing them, and what was delivered to them.
import { implement } from '@orpc/server';
import { runtimeContract } from '../../contract/contract.ts';
import {
  changeTrigger,
  createTrigger,
  removeTrigger,
  rotateSecret,
  type TriggerDeps,
} from '../../runs/triggers/change-triggers.ts';
import { listDeliveries } from '../../runs/triggers/list-deliveries.ts';
import type { DeliverDeps } from '../../runs/triggers/receive-delivery.ts';
import { replayDelivery, testDelivery } from '../../runs/triggers/replay-delivery.ts';
import { presentTrigger, type RunTrigger, TRIGGERS } from '../../runs/triggers/trigger.ts';
import { readSecretStates } from '../../runs/triggers/trigger-secrets.ts';
import { findListedWorkspace, getStanding, listStanding } from '../../runs/standing/find-standing.ts';
import type { Caller } from '../../tenancy/tokens/find-caller.ts';

export interface TriggerRouteDeps extends DeliverDeps, Omit<TriggerDeps, keyof DeliverDeps> {
  /** Of the gateway, as senders reach it. */
  readonly publicUrl: string;
}

export function triggersRouter(deps: TriggerRouteDeps) {
  const { db } = deps;
  const route = implement(runtimeContract.triggers).$context<{ caller: Caller }>();
  const show = async (trigger: RunTrigger) =>
    presentTrigger(trigger, (await readSecretStates(db, [trigger.id])).get(trigger.id));
  const urlOf = ({ id }: Pick<RunTrigger, 'id'>): string => `${deps.publicUrl}/hooks/${id}`;

  return route.router({
    create: route.create.handler(async ({ input, context: { caller } }) => {
      const { trigger, secret } = await createTrigger(deps, caller, input);
      return { trigger: await show(trigger), url: urlOf(trigger), ...(secret === undefined ? {} : { secret }) };
    }),

    list: route.list.handler(async ({ input: { workspace, ...page }, context: { caller } }) => {
      const workspaceId = await findListedWorkspace(db, caller, workspace);
      const { found, cursor } = await listStanding(db, TRIGGERS, caller, { ...page, workspaceId });
      const secrets = await readSecretStates(
        db,
        found.map(({ id }) => id),
      );
      return {
        triggers: found.map((trigger) => presentTrigger(trigger, secrets.get(trigger.id))),
        ...(cursor === undefined ? {} : { cursor }),
      };
    }),

    get: route.get.handler(async ({ input, context: { caller } }) => {
      const { one } = await getStanding(db, TRIGGERS, caller, input);
      return { trigger: await show(one), url: urlOf(one) };
    }),

    update: route.update.handler(async ({ input, context: { caller } }) => ({
      trigger: await show(await changeTrigger(deps, caller, input)),
    })),

    remove: route.remove.handler(async ({ input, context: { caller } }) => {
      await removeTrigger(db, caller, input.id);
      return { ok: true as const };
    }),

    rotate: route.rotate.handler(async ({ input, context: { caller } }) => {
      const { trigger, secret } = await rotateSecret(deps, caller, input);
      return { trigger: await show(trigger), url: urlOf(trigger), ...(secret === undefined ? {} : { secret }) };
    }),

    test: route.test.handler(({ input, context: { caller } }) => testDelivery(deps, caller, input)),

    deliveries: route.deliveries.handler(async ({ input: { id, ...page }, context: { caller } }) => {
      const { one } = await getStanding(db, TRIGGERS, caller, { id });
      return listDeliveries(db, one.id, page);
    }),

    replay: route.replay.handler(({ input, context: { caller } }) => replayDelivery(deps, caller, input)),
  });
}
