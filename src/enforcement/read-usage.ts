import type { OrganizationUsage } from '../contract/usage.ts';
import type { Queryable } from '../store/database.ts';
import { PLANS } from '../tenancy/organizations/plans.ts';
import { countSeats } from '../tenancy/organizations/seats.ts';
import type { Membership } from '../tenancy/members/membership.ts';
import type { Credential } from './budget.ts';
import { countStorage } from './storage.ts';

interface BudgetRow extends Record<string, unknown> {
  granted: number;
  credit_spent: number;
  credit_reserved: number;
  seat_spent: number;
  seat_reserved: number;
}

interface DayRow extends Record<string, unknown> {
  date: string;
  model: string;
  served: string;
  provider: string;
  credential: Credential;
  requests: number;
  input_tokens: number;
  output_tokens: number;
  cost_micros: number;
}

const DEFAULT_DAYS = 31;

export interface UsageQuery {
  readonly days?: number | undefined;
  /** The storage limit per organization: `SERVICE_STORAGE_PER_ORGANIZATION_BYTES`. */
  readonly storageBytes: number;
}

/** The number of rows is bounded by the requested range and the number of models in use. */
export async function readUsage(
  db: Queryable,
  { organizationId, plan }: Membership,
  { days = DEFAULT_DAYS, storageBytes }: UsageQuery,
): Promise<OrganizationUsage> {
  const used = await countSeats(db, organizationId);
  const budget = await readBudget(db, organizationId);
  const monthly = PLANS[plan].seatBudgetMicros * used;
  return {
    plan,
    seats: { used, capacity: PLANS[plan].seats },
    signupCredit: {
      granted: usd(budget.granted),
      remaining: usd(left(budget.granted, budget.credit_spent, budget.credit_reserved)),
    },
    seatBudget: { monthly: usd(monthly), remaining: usd(left(monthly, budget.seat_spent, budget.seat_reserved)) },
    storage: { usedBytes: await countStorage(db, organizationId), limitBytes: storageBytes },
    reserved: usd(budget.credit_reserved + budget.seat_reserved),
    spent: usd(budget.credit_spent + budget.seat_spent),
    days: await readDays(db, organizationId, days),
  };
}

/** Seat figures of another month count as zero. */
async function readBudget(db: Queryable, organizationId: string): Promise<BudgetRow> {
  const { rows } = await db.query<BudgetRow>(
    `select o.signup_credit_micros as granted, coalesce(b.credit_spent, 0) as credit_spent, coalesce(b.credit_reserved, 0) as credit_reserved,
            case when b.seat_month = m.this then b.seat_spent else 0 end as seat_spent, case when b.seat_month = m.this then b.seat_reserved else 0 end as seat_reserved
       from :schema.organization o
       cross join (select date_trunc('month', now() at time zone 'UTC')::date as this) m
       left join :schema.org_budget b on b.organization_id = o.id
      where o.id = $1`,
    [organizationId],
  );
  return rows[0] ?? { granted: 0, credit_spent: 0, credit_reserved: 0, seat_spent: 0, seat_reserved: 0 };
}

async function readDays(db: Queryable, organizationId: string, days: number): Promise<OrganizationUsage['days']> {
  const { rows } = await db.query<DayRow>(
    `select to_char(day, 'YYYY-MM-DD') as date, model, served, provider, credential, requests, input_tokens, output_tokens, cost_micros from :schema.usage_day
      where organization_id = $1 and day > (now() at time zone 'UTC')::date - $2::int order by day desc, model, served, provider, credential`,
    [organizationId, days],
  );
  return rows.map((row) => ({
    date: row.date,
    model: row.model,
    ...(row.served === '' ? {} : { served: row.served }),
    provider: row.provider,
    credential: row.credential,
    requests: row.requests,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cost: usd(row.cost_micros),
  }));
}

function left(granted: number, spent: number, reserved: number): number {
  return Math.max(0, granted - spent - reserved);
}

function usd(micros: number): number {
  return micros / 1_000_000;
}
