// What happens when something is delivered to a trigger. Order: whether its source signed it, how often, what it says,
// whether it counts, whether it is new, the run. An address that nobody has, and a signature that is wrong, are answered
// alike after the same work.
import { randomBytes } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import type { TriggerSource } from '../../contract/standing/trigger-rules.ts';
import type { Database } from '../../store/database.ts';
import type { Meter } from '../../telemetry/metrics/create-meter.ts';
import { type BeginDeps, beginRun } from '../standing/begin-run.ts';
import type { RunStatus } from '../record/run-states.ts';
import { finishDelivery, runKey, storeDelivery } from './deliveries.ts';
import { deliveryKey, describeDelivery, findChallenge, isGreeting } from './describe-delivery.ts';
import { fillObjective } from './fill-objective.ts';
import { passesFilter } from './match-filter.ts';
import type { Delivered } from './payload-path.ts';
import { type DeliveryHeaders, readPayload } from './read-payload.ts';
import { findTrigger, type RunTrigger } from './trigger.ts';
import { readSecrets, requireSealingKey } from './trigger-secrets.ts';
import { isDeliverySigned } from './verify-delivery.ts';

export interface DeliverDeps extends Omit<BeginDeps, 'db'> {
  readonly db: Database;
  /** Seals secrets and payloads. */
  readonly sealingKey: Buffer | undefined;
  readonly meter?: Meter | undefined;
}

export interface Delivery {
  readonly id: string;
  readonly headers: DeliveryHeaders;
  readonly body: Buffer;
  readonly nowMs: number;
}

export type Answered =
  | { readonly job: { readonly id: string; readonly status: RunStatus } }
  | { readonly ignored: 'filter' | 'duplicate' | 'paused' }
  | { readonly challenge: string };

/** @param limit called once the delivery is known to be its source's; throws when it sends too much. */
export async function receiveDelivery(
  deps: DeliverDeps,
  delivery: Delivery,
  limit: (triggerId: string) => void,
): Promise<Answered> {
  const { db, meter } = deps;
  const sealingKey = requireSealingKey(deps.sealingKey);
  const found = await findTrigger(db, delivery.id);
  const secrets = await readSecrets(db, sealingKey, delivery.id);
  const count = (outcome: string): void =>
    meter?.count('service_trigger_deliveries_total', [found?.source ?? 'unknown', outcome]);
  const [source, tried]: [TriggerSource, readonly string[]] =
    found && secrets.length > 0 ? [found.source, secrets] : ['generic', [randomBytes(32).toString('base64url')]];
  if (!isDeliverySigned(source, { ...delivery, secrets: tried }) || !found) {
    count('unverified');
    throw new AppError('delivery_unverified');
  }
  limit(found.id);
  const answered = await take(deps, sealingKey, found, delivery);
  count('job' in answered ? 'started' : 'ignored' in answered ? answered.ignored : 'challenge');
  return answered;
}

async function take(
  deps: DeliverDeps,
  sealingKey: Buffer,
  trigger: RunTrigger,
  { headers, body }: Delivery,
): Promise<Answered> {
  const { payload, json } = readPayload(body, headers);
  const delivered = describeDelivery(trigger.source, headers, { payload });
  const challenge = findChallenge(trigger.source, delivered);
  if (challenge !== undefined) return { challenge };
  if (isGreeting(trigger.source, delivered)) return { ignored: 'filter' };
  const ignored = findReason(trigger, delivered);
  const id = await storeDelivery(deps.db, sealingKey, {
    triggerId: trigger.id,
    key: deliveryKey(delivered, body),
    senderId: delivered.deliveryId,
    event: delivered.event,
    outcome: ignored ?? 'received',
    json,
  });
  if (id === undefined) return { ignored: 'duplicate' };
  if (ignored !== undefined) return { ignored };
  return beginDelivered(deps, trigger, { id, delivered });
}

function findReason(trigger: RunTrigger, delivered: Delivered): 'paused' | 'filter' | undefined {
  if (!trigger.enabled || trigger.paused) return 'paused';
  return passesFilter(trigger.filter, delivered) ? undefined : 'filter';
}

/**
 * Starts the run of a stored delivery. What its maker may no longer start pauses the trigger; another refusal is the
 * sender's to try again.
 */
export async function beginDelivered(
  deps: DeliverDeps,
  trigger: RunTrigger,
  { id, delivered }: { readonly id: string; readonly delivered: Delivered },
): Promise<Extract<Answered, { job: unknown }> | { readonly ignored: 'paused' }> {
  const begun = await beginRun(deps, trigger, {
    objective: fillObjective(trigger.run.objective, delivered, id),
    idempotencyKey: runKey(trigger.id, id),
  });
  if (begun.outcome === 'started') {
    await finishDelivery(deps.db, id, { outcome: 'started', job: begun.run.id });
    return { job: { id: begun.run.id, status: begun.run.status } };
  }
  await finishDelivery(deps.db, id, { outcome: 'refused', code: begun.code });
  deps.meter?.count('service_trigger_deliveries_total', [trigger.source, 'refused']);
  if (begun.paused !== undefined) return { ignored: 'paused' };
  throw new AppError('delivery_refused', { code: begun.code });
}
