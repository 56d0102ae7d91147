import type { Queryable } from '../store/database.ts';

/** Micro-dollars of platform credit that all organizations together have used in this calendar month (UTC). */
export async function readPlatformMonth(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ spent: number }>(
    `select coalesce((select p.spent from :schema.platform_month p where p.month = m.this),
                     (select sum(d.cost_micros)::bigint from :schema.usage_day d where d.credential = 'platform' and d.day >= m.this), 0)::bigint as spent
       from (select date_trunc('month', now() at time zone 'UTC')::date as this) m`,
  );
  return rows[0]?.spent ?? 0;
}
