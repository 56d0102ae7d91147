import type { Queryable } from '../store/database.ts';

export interface PlatformMonth {
  readonly spentMicros: number;
  /** Open reservations and their total. */
  readonly holds: number;
  readonly heldMicros: number;
}

/** Platform credit of all organizations, in micro-dollars: used in this calendar month (UTC) and currently held. */
export async function readPlatformMonth(db: Queryable): Promise<PlatformMonth> {
  const { rows } = await db.query<{ spent: number; holds: number; held: number }>(
    `select coalesce((select p.spent from :schema.platform_month p where p.month = m.this),
                     (select sum(d.cost_micros)::bigint from :schema.usage_day d where d.credential = 'platform' and d.day >= m.this), 0)::bigint as spent,
            h.holds, h.held
       from (select date_trunc('month', now() at time zone 'UTC')::date as this) m,
            (select count(*) as holds, coalesce(sum(seat_micros + credit_micros), 0)::bigint as held from :schema.chat_hold where seat_micros + credit_micros > 0) h`,
  );
  const [{ spent, holds, held } = { spent: 0, holds: 0, held: 0 }] = rows;
  return { spentMicros: spent, holds, heldMicros: held };
}
