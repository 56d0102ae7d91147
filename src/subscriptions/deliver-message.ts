// Delivers messages that are due: the row is the clock. The process that takes one moves its time past a lease; if that process is
// lost, the message is due again then, so it is delivered at least once.
import { unseal } from '../base/seal.ts';
import type { Queryable } from '../store/database.ts';
import { pauseAfter } from '../timing/retry.ts';
import { RETRIES } from '../timing/retry-policies.ts';
import type { MessageSender, Sent } from './send-message.ts';
import { signMessage } from './sign-message.ts';
import { sealingContext } from './subscription.ts';

export type DeliveryOutcome = 'delivered' | 'retried' | 'given-up';

export interface DeliverDeps {
  readonly db: Queryable;
  readonly wrappingKey: Buffer;
  readonly sender: MessageSender;
  readonly onOutcome: (outcome: DeliveryOutcome) => void;
}

/** Longer than the broker takes to hand a message over and a try may last. */
export const LEASE_SECONDS = 60;
const DISABLED_AFTER = "interval '3 days'";
const KEPT_DAYS = 7;
const PRUNED_AT_ONCE = 1_000;
const PER_SUBSCRIPTION = 8;

export interface DueMessage extends Record<string, unknown> {
  readonly id: string;
  readonly organization: string;
  readonly tries: number;
  /** When it was due, in milliseconds. */
  readonly due: number;
}

/** Subscriptions take turns: of one that has much to be told, only the first few. */
const CLAIM = `
with due as materialized (
  select d.id, d.subscription_id, d.next_at from :schema.subscription_delivery d
   where d.next_at <= now() order by d.next_at limit 500 for update skip locked
), turn as (
  select id, next_at from (select id, next_at, row_number() over (partition by subscription_id order by next_at, id) as number from due) r
   where r.number <= ${PER_SUBSCRIPTION} order by r.next_at limit $1
)
update :schema.subscription_delivery d set next_at = now() + interval '${LEASE_SECONDS} seconds'
  from turn t, :schema.subscription s where d.id = t.id and s.id = d.subscription_id
returning d.id, s.organization_id as organization, d.tries, (extract(epoch from t.next_at) * 1000)::float8 as due`;

export async function claimMessages(db: Queryable, most: number): Promise<readonly DueMessage[]> {
  return (await db.query<DueMessage>(CLAIM, [most])).rows;
}

const TAKE = `
update :schema.subscription_delivery d set tries = d.tries + 1, tried_at = now(), next_at = now() + interval '${LEASE_SECONDS} seconds'
  from :schema.subscription s where s.id = d.subscription_id and d.id = $1 and d.tries = $2 and d.next_at is not null
returning d.body, d.subscription_id, s.url, s.ciphertext, s.iv, s.auth_tag, s.disabled_at is not null as disabled`;

interface TakenRow extends Record<string, unknown> {
  body: string;
  subscription_id: string;
  url: string;
  ciphertext: Buffer;
  iv: Buffer;
  auth_tag: Buffer;
  disabled: boolean;
}

/** One try. Undefined if another process has made it. */
export async function deliverMessage(
  { db, wrappingKey, sender, onOutcome }: DeliverDeps,
  { id, tries }: Pick<DueMessage, 'id' | 'tries'>,
  signal: AbortSignal,
): Promise<DeliveryOutcome | undefined> {
  const { rows } = await db.query<TakenRow>(TAKE, [id, tries]);
  const [row] = rows;
  if (!row) return undefined;
  const sealed = { ciphertext: row.ciphertext, iv: row.iv, authTag: row.auth_tag };
  const secret = unseal(wrappingKey, sealed, sealingContext(row.subscription_id));
  const sent: Sent & { readonly final?: true } = row.disabled
    ? { failure: 'the subscription is turned off', final: true }
    : secret === undefined
      ? { failure: 'its secret cannot be decrypted with this key' }
      : await sender.send(row.url, signMessage({ id, body: row.body, secret, now: new Date() }), row.body, signal);
  const outcome = await record(db, { id, subscription: row.subscription_id, tries: tries + 1 }, sent);
  onOutcome(outcome);
  return outcome;
}

const DELIVERED =
  'update :schema.subscription_delivery set next_at = null, delivered_at = now(), status = $2, failure = null where id = $1';
const RECOVERED = 'update :schema.subscription set failing_since = null where id = $1 and failing_since is not null';
const FAILED = 'update :schema.subscription_delivery set next_at = $2, status = $3, failure = $4 where id = $1';
/** 410 says that the address wants no more. */
const FAILING = `
update :schema.subscription s set failing_since = coalesce(s.failing_since, now()),
    disabled_at = case when ${stops()} then now() end,
    disabled_reason = case when $2 then 'gone' when ${stops()} then 'failing' end
  where s.id = $1 and s.disabled_at is null returning s.disabled_at is not null as disabled`;
/** An address that does not answer is not asked for each of its messages. */
const HOLD_BACK =
  "update :schema.subscription_delivery set next_at = now() + interval '10 seconds' where subscription_id = $1 and next_at <= now()";
const GIVE_UP_REST =
  "update :schema.subscription_delivery set next_at = null, failure = 'the subscription is turned off' where subscription_id = $1 and next_at is not null";

function stops(): string {
  return `$2 or s.failing_since < now() - ${DISABLED_AFTER}`;
}

async function record(
  db: Queryable,
  { id, subscription, tries }: { readonly id: string; readonly subscription: string; readonly tries: number },
  { status, failure, final }: Sent & { readonly final?: true },
): Promise<DeliveryOutcome> {
  if (failure === undefined) {
    await db.query(DELIVERED, [id, status ?? null]);
    await db.query(RECOVERED, [subscription]);
    return 'delivered';
  }
  const over = final === true || status === 410 || tries >= RETRIES.subscriptionMessage.tries;
  const next = over ? null : new Date(Date.now() + pauseAfter(RETRIES.subscriptionMessage, tries));
  await db.query(FAILED, [id, next, status ?? null, failure]);
  if (final !== true) {
    const { rows } = await db.query<{ disabled: boolean }>(FAILING, [subscription, status === 410]);
    await db.query(rows[0]?.disabled === true ? GIVE_UP_REST : HOLD_BACK, [subscription]);
  }
  return over ? 'given-up' : 'retried';
}

/** What was delivered or given up is shown for some days. Returns how many went. */
export async function pruneDeliveries(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `delete from :schema.subscription_delivery where id in (
       select id from :schema.subscription_delivery where created_at < now() - interval '${KEPT_DAYS} days' and next_at is null limit ${PRUNED_AT_ONCE})`,
  );
  return rowCount;
}
