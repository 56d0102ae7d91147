// What a person does with a delivery that is kept: start its run once more, or look at what it would start.
import { AppError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { parseJson } from '../../base/parse-json.ts';
import type { Queryable } from '../../store/database.ts';
import type { Caller } from '../../tenancy/tokens/find-caller.ts';
import { getStanding, requireMaker } from '../standing/find-standing.ts';
import { findDelivery, openPayload, type StoredDelivery, storeDelivery } from './deliveries.ts';
import { fillObjective } from './fill-objective.ts';
import { matchFilter } from './match-filter.ts';
import type { Delivered } from './payload-path.ts';
import { type Answered, beginDelivered, type DeliverDeps } from './receive-delivery.ts';
import { type RunTrigger, TRIGGERS } from './trigger.ts';
import { requireSealingKey } from './trigger-secrets.ts';

export interface DeliveryRef {
  readonly id: string;
  readonly delivery: string;
}

/**
 * A delivery of its own, which says which one it repeats. Neither the filter nor a pause is asked: the person who asks
 * for it is there.
 */
export async function replayDelivery(
  deps: DeliverDeps,
  caller: Caller,
  { id, delivery }: DeliveryRef,
): Promise<Extract<Answered, { job: unknown }>> {
  const sealingKey = requireSealingKey(deps.sealingKey);
  const { one: trigger, right } = await getStanding(deps.db, TRIGGERS, caller, { id });
  requireMaker(right);
  const stored = await getDelivery(deps.db, trigger, delivery);
  const json = await openPayload(sealingKey, stored);
  if (!json) throw new AppError('delivery_not_kept');
  const delivered = toDelivered(stored, json);
  const made = await storeDelivery(deps.db, sealingKey, {
    triggerId: trigger.id,
    key: newId('replay'),
    senderId: stored.senderId,
    event: stored.event,
    outcome: 'received',
    json,
    replayOf: stored.id,
  });
  if (made === undefined) throw new AppError('conflict');
  const answered = await beginDelivered(deps, trigger, { id: made, delivered });
  if ('ignored' in answered) throw new AppError('authority_lost');
  return answered;
}

export interface TestedDelivery {
  readonly passes: boolean;
  readonly filter: { readonly path: string; readonly holds: boolean }[];
  readonly objective: string;
}

/** What would be started; nothing is. */
export async function testDelivery(
  deps: { readonly db: Queryable; readonly sealingKey: Buffer | undefined },
  caller: Caller,
  given: {
    readonly id: string;
    readonly payload?: unknown;
    readonly event?: string | undefined;
    readonly delivery?: string | undefined;
  },
): Promise<TestedDelivery> {
  const { one: trigger } = await getStanding(deps.db, TRIGGERS, caller, { id: given.id });
  const delivered: Delivered =
    given.delivery === undefined
      ? { payload: given.payload, event: given.event, deliveryId: undefined }
      : await openDelivered(deps, trigger, given.delivery);
  const filter = matchFilter(trigger.filter, delivered);
  return {
    passes: filter.every(({ holds }) => holds),
    filter,
    objective: fillObjective(trigger.run.objective, delivered, trigger.id),
  };
}

async function openDelivered(
  { db, sealingKey }: { readonly db: Queryable; readonly sealingKey: Buffer | undefined },
  trigger: RunTrigger,
  id: string,
): Promise<Delivered> {
  const stored = await getDelivery(db, trigger, id);
  const json = await openPayload(sealingKey, stored);
  if (!json) throw new AppError('delivery_not_kept');
  return toDelivered(stored, json);
}

async function getDelivery(on: Queryable, { id: triggerId }: RunTrigger, id: string): Promise<StoredDelivery> {
  const stored = await findDelivery(on, triggerId, id);
  if (!stored) throw new AppError('not_found');
  return stored;
}

export function toDelivered({ event, senderId }: StoredDelivery, json: Buffer): Delivered {
  return { payload: parseJson(json), event, deliveryId: senderId };
}
