// The messages of subscriptions, for those who manage them.
import { AppError } from '../base/errors.ts';
import type { DeliveryOnWire, SubscriptionEvent } from '../contract/subscriptions/subscriptions.ts';
import type { Queryable } from '../store/database.ts';
import { getSubscription, type SubscriptionReader } from './subscriptions.ts';

interface DeliveryRow extends Record<string, unknown> {
  id: string;
  event: SubscriptionEvent;
  body: string;
  created_at: Date;
  next_at: Date | null;
  tries: number;
  tried_at: Date | null;
  delivered_at: Date | null;
  status: number | null;
  failure: string | null;
}

const COLUMNS =
  'd.id, d.event, d.body, d.created_at, d.next_at, d.tries, d.tried_at, d.delivered_at, d.status, d.failure';

const LIST = `
select ${COLUMNS} from :schema.subscription_delivery d
 where d.subscription_id = $1 and ($2 = '' or d.id < $2) order by d.id desc limit $3`;

/** A message is a few hundred bytes, so a page of them has a bound by their number. */
export async function listDeliveries(
  db: Queryable,
  reader: SubscriptionReader,
  subscription: string,
  { after, most }: { readonly after: string; readonly most: number },
): Promise<DeliveryOnWire[]> {
  const { id } = await getSubscription(db, reader, subscription);
  return (await db.query<DeliveryRow>(LIST, [id, after, most])).rows.map(toWire);
}

/** Sent again under its own id, so that the receiver knows it. Its tries are counted from zero. */
const REPLAY = `
update :schema.subscription_delivery d set next_at = now(), tries = 0, delivered_at = null, failure = null, status = null, created_at = now()
 where d.subscription_id = $1 and d.id = $2 returning ${COLUMNS}`;

export async function replayDelivery(
  db: Queryable,
  reader: SubscriptionReader,
  subscription: string,
  delivery: string,
): Promise<DeliveryOnWire> {
  const { id, enabled } = await getSubscription(db, reader, subscription);
  if (!enabled) throw new AppError('subscription_disabled');
  const { rows } = await db.query<DeliveryRow>(REPLAY, [id, delivery]);
  if (!rows[0]) throw new AppError('not_found');
  return toWire(rows[0]);
}

function toWire(row: DeliveryRow): DeliveryOnWire {
  const given = {
    triedAt: row.tried_at?.toISOString(),
    deliveredAt: row.delivered_at?.toISOString(),
    nextAt: row.next_at?.toISOString(),
    status: row.status ?? undefined,
    failure: row.failure ?? undefined,
  };
  return {
    id: row.id,
    event: row.event,
    createdAt: row.created_at.toISOString(),
    state: row.delivered_at ? 'delivered' : row.next_at ? 'waiting' : 'given_up',
    tries: row.tries,
    body: row.body,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
}
