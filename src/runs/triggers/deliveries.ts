// The rows of deliveries. One is written before its run is started, and is the work that is still to be done until the
// run is: a process that dies in between leaves it to another one, which gets the same run, because the run's key is
// made from the row. The unique key of a trigger and what tells its deliveries apart lets one of two equal ones through.
import { newId } from '../../base/ids.ts';
import { type Sealed, sealLarge, unsealLarge } from '../../base/seal.ts';
import { type DeliveryOutcome, TRIGGER_LIMITS } from '../../contract/standing/trigger-rules.ts';
import type { Database, Queryable } from '../../store/database.ts';

export interface NewDelivery {
  readonly triggerId: string;
  readonly key: string;
  readonly senderId: string | undefined;
  readonly event: string | undefined;
  readonly outcome: Extract<DeliveryOutcome, 'received' | 'filter' | 'paused'>;
  readonly json: Buffer;
  readonly replayOf?: string;
}

export const deliveryContext = (triggerId: string, id: string): string[] => ['trigger_delivery', triggerId, id];

export function runKey(triggerId: string, deliveryId: string): string {
  return `trigger:${triggerId}:${deliveryId}`;
}

/** While it is being worked on; then another process may. */
const LEASE_SECONDS = 30;
const LEASE = `now() + interval '${LEASE_SECONDS} seconds'`;

const FORGET = `
update :schema.trigger_delivery set delivery_key = null
 where trigger_id = $1 and delivery_key = $2 and received_at <= now() - interval '${TRIGGER_LIMITS.hours} hours'`;
// What started nothing the first time may do so when it is sent again.
const INSERT = `
insert into :schema.trigger_delivery as d
    (id, trigger_id, delivery_key, sender_id, event, outcome, replay_of, received_at, look_at, bytes, ciphertext, iv, auth_tag)
  values ($1, $2, $3, $4, $5, $6, $7, now(), case when $6 = 'received' then ${LEASE} end, $8, $9, $10, $11)
on conflict (trigger_id, delivery_key) do update set id = excluded.id, event = excluded.event, outcome = excluded.outcome, code = null,
    received_at = excluded.received_at, look_at = excluded.look_at, bytes = excluded.bytes, ciphertext = excluded.ciphertext,
    iv = excluded.iv, auth_tag = excluded.auth_tag
  where d.outcome in ('refused', 'filter', 'paused')
returning id`;
/** Payloads beyond the bound go, the oldest first, but none whose run has not ended. */
const BOUND = `
update :schema.trigger_delivery d set ciphertext = null, iv = null, auth_tag = null
  from (select id, job, outcome, row_number() over newest as place, sum(bytes) over newest as total
          from :schema.trigger_delivery where trigger_id = $1 and ciphertext is not null window newest as (order by id desc)) k
  left join :schema.job j on j.id = k.job
 where d.id = k.id and (k.place > ${TRIGGER_LIMITS.payloads} or k.total > ${TRIGGER_LIMITS.payloadBytes})
   and k.outcome <> 'received' and (j.id is null or j.ended_at is not null)`;

/** Its id, or undefined if the same was delivered before. */
export async function storeDelivery(db: Database, sealingKey: Buffer, one: NewDelivery): Promise<string | undefined> {
  const id = newId('del');
  const { ciphertext, iv, authTag } = await sealLarge(sealingKey, [one.json], deliveryContext(one.triggerId, id));
  return db.transaction(async (tx) => {
    await tx.query(FORGET, [one.triggerId, one.key]);
    const { rows } = await tx.query<{ id: string }>(INSERT, [
      id,
      one.triggerId,
      one.key,
      one.senderId ?? null,
      one.event ?? null,
      one.outcome,
      one.replayOf ?? null,
      one.json.length,
      ciphertext,
      iv,
      authTag,
    ]);
    await tx.query(BOUND, [one.triggerId]);
    return rows[0]?.id;
  });
}

export type Finished =
  | { readonly outcome: 'started'; readonly job: string }
  | { readonly outcome: 'refused'; readonly code: string };

export async function finishDelivery(on: Queryable, id: string, finished: Finished): Promise<void> {
  await on.query(
    "update :schema.trigger_delivery set outcome = $2, job = $3, code = $4, look_at = null where id = $1 and outcome = 'received'",
    [
      id,
      finished.outcome,
      finished.outcome === 'started' ? finished.job : null,
      finished.outcome === 'refused' ? finished.code : null,
    ],
  );
}

export interface StoredDelivery {
  readonly id: string;
  readonly triggerId: string;
  readonly senderId: string | undefined;
  readonly event: string | undefined;
  readonly receivedAt: Date;
  readonly sealed: Sealed | undefined;
}

interface DeliveryRow extends Record<string, unknown> {
  id: string;
  trigger_id: string;
  sender_id: string | null;
  event: string | null;
  received_at: Date;
  ciphertext: Buffer | null;
  iv: Buffer | null;
  auth_tag: Buffer | null;
}

const COLUMNS = ['id', 'trigger_id', 'sender_id', 'event', 'received_at', 'ciphertext', 'iv', 'auth_tag']
  .map((name) => `d.${name}`)
  .join(', ');

function toStored({ ciphertext, iv, auth_tag: authTag, ...row }: DeliveryRow): StoredDelivery {
  return {
    id: row.id,
    triggerId: row.trigger_id,
    senderId: row.sender_id ?? undefined,
    event: row.event ?? undefined,
    receivedAt: row.received_at,
    sealed: ciphertext && iv && authTag ? { ciphertext, iv, authTag } : undefined,
  };
}

/** Of a trigger that the caller may see. */
export async function findDelivery(on: Queryable, triggerId: string, id: string): Promise<StoredDelivery | undefined> {
  const { rows } = await on.query<DeliveryRow>(
    `select ${COLUMNS} from :schema.trigger_delivery d where d.trigger_id = $1 and d.id = $2`,
    [triggerId, id],
  );
  return rows[0] && toStored(rows[0]);
}

/** Those that somebody began and did not finish. */
export async function claimDeliveries(on: Queryable, most: number): Promise<StoredDelivery[]> {
  const { rows } = await on.query<DeliveryRow>(
    `update :schema.trigger_delivery d set look_at = ${LEASE}
       from (select id from :schema.trigger_delivery where outcome = 'received' and look_at <= now() order by look_at limit $1 for update skip locked) due
      where d.id = due.id returning ${COLUMNS}`,
    [most],
  );
  return rows.map(toStored);
}

// The row is found by the key of its run, which is written together with the run.
const OF_RUN = `
select ${COLUMNS} from :schema.job j join :schema.trigger_delivery d
    on d.trigger_id = j.started_by and d.id = split_part(j.idempotency_key, ':', 3) collate "C"
 where j.id = $1 and split_part(j.idempotency_key, ':', 1) = 'trigger'`;

/** What the run was started by; undefined if it was started otherwise, or that is forgotten. */
export async function findDeliveryOfRun(on: Queryable, runId: string): Promise<StoredDelivery | undefined> {
  const { rows } = await on.query<DeliveryRow>(OF_RUN, [runId]);
  return rows[0] && toStored(rows[0]);
}

/** Undefined if it is not kept, or does not open with this key. */
export async function openPayload(
  sealingKey: Buffer | undefined,
  { sealed, triggerId, id }: StoredDelivery,
): Promise<Buffer | undefined> {
  return sealed && sealingKey && unsealLarge(sealingKey, sealed, deliveryContext(triggerId, id));
}

const PRUNED_AT_ONCE = 1_000;

export async function pruneDeliveries(on: Queryable): Promise<void> {
  await on.query(
    `delete from :schema.trigger_delivery where id in (
       select id from :schema.trigger_delivery where received_at < now() - interval '${TRIGGER_LIMITS.days} days' and outcome <> 'received'
        order by received_at limit ${PRUNED_AT_ONCE})`,
  );
}
