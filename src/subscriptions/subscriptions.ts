// Subscriptions as rows. Those who manage an organization see all of them; those who manage a workspace, its own. That is
// part of each statement: what a person does not manage does not exist for them.
import { AppError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { PAGE_BYTES } from '../base/page-bytes.ts';
import { seal } from '../base/seal.ts';
import type { SubscriptionEvent, SubscriptionOnWire } from '../contract/subscriptions/subscriptions.ts';
import { checkCalledUrl } from '../net/check-called-url.ts';
import type { Database, Queryable } from '../store/database.ts';
import { COLUMNS, newSecret, sealingContext, type SubscriptionRow, toWire } from './subscription.ts';

export interface SubscriptionDeps {
  readonly db: Database;
  /** Undefined if SERVICE_CONNECTION_ENCRYPTION_KEY_B64 is not set: then nothing can be subscribed. */
  readonly wrappingKey: Buffer | undefined;
  readonly allowPrivateUrls: boolean;
  /** How many one workspace may have, and the organization for all of it. */
  readonly mostSubscriptions: number;
}

/** Who asks: a person, in the organization and, if the token is bound to one, the workspace of a token. */
export interface SubscriptionReader {
  readonly userId: string;
  readonly organizationId?: string | undefined;
  readonly workspaceId?: string | undefined;
}

const MANAGERS = "('owner', 'admin')";
/** On subscription `s`, for person $1 in organization $2, with a token that may be bound to workspace $3. */
const MANAGED = `s.organization_id = $2 and ($3::text is null or s.workspace_id = $3)
  and (exists (select from :schema.acting_member m where m.organization_id = s.organization_id and m.user_id = $1 and m.role in ${MANAGERS})
    or exists (select from :schema.member_workspace w where w.organization_id = s.organization_id and w.workspace_id = s.workspace_id
                and w.user_id = $1 and w.is_member and w.role in ${MANAGERS}))`;

const valuesOf = ({ userId, organizationId, workspaceId }: SubscriptionReader): (string | null)[] => [
  userId,
  organizationId ?? null,
  workspaceId ?? null,
];

export interface NewSubscription {
  readonly organizationId: string;
  readonly workspaceId: string | undefined;
  readonly userId: string;
  readonly url: string;
  readonly events: readonly SubscriptionEvent[];
}

const INSERT = `
insert into :schema.subscription as s (id, organization_id, workspace_id, created_by, url, events, ciphertext, iv, auth_tag, created_at)
select $1, $2, $3, $4, $5, $6, $7, $8, $9, now()
 where (select count(*) from :schema.subscription o where o.organization_id = $2 and o.workspace_id is not distinct from $3) < $10
returning ${COLUMNS}`;

/** The caller has checked that the person manages the place. */
export async function createSubscription(
  { db, wrappingKey, allowPrivateUrls, mostSubscriptions }: SubscriptionDeps,
  { organizationId, workspaceId, userId, url, events }: NewSubscription,
): Promise<{ readonly subscription: SubscriptionOnWire; readonly secret: string }> {
  if (!wrappingKey) throw new AppError('subscriptions_not_configured');
  const { href } = checkCalledUrl('url', url, allowPrivateUrls);
  const [id, secret] = [newId('sub'), newSecret()];
  const { ciphertext, iv, authTag } = seal(wrappingKey, secret, sealingContext(id));
  const { rows } = await db.transaction(async (tx) => {
    // One at a time in an organization, so that each counts after the one before.
    await tx.query("select pg_advisory_xact_lock(hashtextextended('subscriptions of ' || $1, 0))", [organizationId]);
    return tx.query<SubscriptionRow>(INSERT, [
      id,
      organizationId,
      workspaceId ?? null,
      userId,
      href,
      [...events],
      ciphertext,
      iv,
      authTag,
      mostSubscriptions,
    ]);
  });
  if (!rows[0]) throw new AppError('too_many_subscriptions', { limit: mostSubscriptions });
  return { subscription: toWire(rows[0]), secret };
}

const LIST = `
select * from (
  select ${COLUMNS}, count(*) over ()::int as found, row_number() over page as number, sum(octet_length(s.url)) over page as bytes
    from (select * from :schema.subscription s where ${MANAGED} and ($4::text is null or s.workspace_id = $4) and ($5 = '' or s.id < $5) order by s.id desc limit $6) s
  window page as (order by s.id desc)) p
 where p.number = 1 or p.bytes <= ${PAGE_BYTES} order by p.id desc`;

export async function listSubscriptions(
  db: Queryable,
  reader: SubscriptionReader,
  {
    workspaceId,
    after,
    most,
  }: { readonly workspaceId: string | undefined; readonly after: string; readonly most: number },
): Promise<{ readonly subscriptions: SubscriptionOnWire[]; readonly found: number }> {
  const { rows } = await db.query<SubscriptionRow & { found: number }>(LIST, [
    ...valuesOf(reader),
    workspaceId ?? null,
    after,
    most,
  ]);
  return { subscriptions: rows.map(toWire), found: rows[0]?.found ?? 0 };
}

const GET = `select ${COLUMNS} from :schema.subscription s where ${MANAGED} and s.id = $4`;

export async function getSubscription(
  db: Queryable,
  reader: SubscriptionReader,
  id: string,
): Promise<SubscriptionOnWire> {
  return one(await db.query<SubscriptionRow>(GET, [...valuesOf(reader), id]));
}

export interface SubscriptionChange {
  readonly url?: string | undefined;
  readonly events?: readonly SubscriptionEvent[] | undefined;
  readonly enabled?: boolean | undefined;
}

/** Turned on again, it counts as not failing. What waits is sent when it is. */
const CHANGE = `
update :schema.subscription s set url = coalesce($5, s.url), events = coalesce($6, s.events),
    disabled_at = case when $7::boolean is null then s.disabled_at when $7 then null else coalesce(s.disabled_at, now()) end,
    disabled_reason = case when $7::boolean is null then s.disabled_reason when $7 then null else coalesce(s.disabled_reason, 'by_person') end,
    failing_since = case when $7 then null else s.failing_since end
  where ${MANAGED} and s.id = $4 returning ${COLUMNS}`;

export async function changeSubscription(
  { db, allowPrivateUrls }: SubscriptionDeps,
  reader: SubscriptionReader,
  id: string,
  { url, events, enabled }: SubscriptionChange,
): Promise<SubscriptionOnWire> {
  const href = url === undefined ? undefined : checkCalledUrl('url', url, allowPrivateUrls).href;
  const values = [...valuesOf(reader), id, href ?? null, events === undefined ? null : [...events], enabled ?? null];
  return one(await db.query<SubscriptionRow>(CHANGE, values));
}

export async function removeSubscription(db: Queryable, reader: SubscriptionReader, id: string): Promise<void> {
  const sql = `delete from :schema.subscription s where ${MANAGED} and s.id = $4`;
  if ((await db.query(sql, [...valuesOf(reader), id])).rowCount === 0) throw new AppError('not_found');
}

function one({ rows }: { readonly rows: readonly SubscriptionRow[] }): SubscriptionOnWire {
  if (!rows[0]) throw new AppError('not_found');
  return toWire(rows[0]);
}
