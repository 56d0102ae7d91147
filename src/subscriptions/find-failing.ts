// Subscriptions that do not work, for the operator. Their addresses are not named: people put secrets into them.
import type { Queryable } from '../store/database.ts';

export interface FailingSubscription extends Record<string, unknown> {
  readonly id: string;
  readonly organization: string;
  readonly off: boolean;
}

const SHOWN = 5;
/** One that was turned off long ago has been seen by those who manage it. */
const FAILING = `
select id, organization_id as organization, disabled_at is not null as off, count(*) over ()::int as found
  from :schema.subscription
 where failing_since < now() - interval '1 day' and disabled_at is null
    or disabled_reason in ('failing', 'gone') and disabled_at > now() - interval '30 days'
 order by id desc limit ${SHOWN}`;

export async function findFailing(
  db: Queryable,
): Promise<{ readonly found: number; readonly newest: readonly FailingSubscription[] }> {
  const { rows } = await db.query<FailingSubscription & { found: number }>(FAILING);
  return { found: rows[0]?.found ?? 0, newest: rows };
}
