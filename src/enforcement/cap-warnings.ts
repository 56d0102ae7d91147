// Which monthly caps are used so far that somebody is to be told: once per month and threshold. Read by a control run,
// never while a request is admitted.
import type { CapSubject } from '../contract/spend.ts';
import type { Queryable } from '../store/database.ts';

const WARN_AT = [80, 100] as const;
const AT_ONCE = 5;

export interface CapWarning {
  readonly id: string;
  readonly organizationId: string;
  readonly subject: CapSubject;
  readonly percent: number;
}

const MONTH = "date_trunc('month', $1::timestamptz at time zone 'UTC')::date";

/** The highest threshold that a cap has passed this month, unless it was taken before. */
const DUE = `
select c.id, t.percent from :schema.spend_cap c
  cross join lateral (select max(p) as percent from unnest(array[${WARN_AT.join(', ')}]) p where c.spent * 100 >= c.limit_micros * p) t
 where c.month = ${MONTH} and c.limit_micros > 0 and t.percent is not null
   and (c.warned_month is distinct from ${MONTH} or c.warned_percent < t.percent)`;

const TAKE = `
update :schema.spend_cap c set warned_month = ${MONTH}, warned_percent = d.percent
  from (${DUE} order by c.id limit ${AT_ONCE} for update of c skip locked) d
 where c.id = d.id
returning c.id, c.organization_id, c.kind, c.subject_id, d.percent`;

export async function areCapWarningsDue(db: Queryable, now: Date): Promise<boolean> {
  return (await db.query(`${DUE} limit 1`, [now])).rowCount > 0;
}

/** Takes some of those that are due; they are not due again once the transaction is committed. */
export async function takeCapWarnings(tx: Queryable, now: Date): Promise<CapWarning[]> {
  const { rows } = await tx.query<{
    id: string;
    organization_id: string;
    kind: CapSubject['kind'];
    subject_id: string;
    percent: number;
  }>(TAKE, [now]);
  return rows.map(({ id, organization_id: organizationId, kind, subject_id: subject, percent }) => ({
    id,
    organizationId,
    subject: { kind, id: subject },
    percent,
  }));
}
