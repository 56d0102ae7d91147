// Starts the runs of deliveries that a process took and did not live to start, and forgets old ones. Every api process
// does it; a claim keeps two from the same one, and the key of its run would.
import type { Log } from '../../telemetry/log.ts';
import { type Every, every } from '../../timing/every.ts';
import { claimDeliveries, finishDelivery, openPayload, pruneDeliveries, type StoredDelivery } from './deliveries.ts';
import { beginDelivered, type DeliverDeps } from './receive-delivery.ts';
import { toDelivered } from './replay-delivery.ts';
import { findTrigger } from './trigger.ts';

const EVERY_MS = 10_000;
const AT_ONCE = 20;
/** Whatever keeps it from starting for this long will not pass. */
const GIVE_UP_MS = 24 * 3_600_000;

export function scheduleDeliveries(deps: DeliverDeps, log: Log): Every {
  const run = async (): Promise<void> => {
    await finishDeliveries(deps, log);
    await pruneDeliveries(deps.db);
  };
  return every({ everyMs: EVERY_MS, jitter: 0.2, task: 'finishing deliveries', log, run });
}

/** Returns how many it looked at. */
export async function finishDeliveries(deps: DeliverDeps, log: Log): Promise<number> {
  const claimed = await claimDeliveries(deps.db, AT_ONCE);
  for (const stored of claimed)
    await finish(deps, stored).catch((error: unknown) =>
      log.warn({ delivery: stored.id, trigger: stored.triggerId, err: error }, 'could not start the run of a delivery'),
    );
  return claimed.length;
}

async function finish(deps: DeliverDeps, stored: StoredDelivery): Promise<void> {
  const trigger = await findTrigger(deps.db, stored.triggerId);
  if (!trigger) return;
  const json = await openPayload(deps.sealingKey, stored);
  if (!json || Date.now() - stored.receivedAt.getTime() > GIVE_UP_MS) {
    await finishDelivery(deps.db, stored.id, { outcome: 'refused', code: json ? 'unavailable' : 'delivery_not_kept' });
    return;
  }
  await beginDelivered(deps, trigger, { id: stored.id, delivered: toDelivered(stored, json) });
}
