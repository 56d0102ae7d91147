// Who spent what. Days that are over have been added to their months, so a whole month is read from there plus the days
// that have not been added yet; other days are read one by one. One statement sees both, so nothing is counted twice.
import { AppError } from '../base/errors.ts';
import type { SpendBy, SpendPage, SpendRow } from '../contract/spend.ts';
import type { Queryable } from '../store/database.ts';
import { managesOrganization } from '../tenancy/authority.ts';
import { findNames, findProjectNames } from '../tenancy/find-names.ts';
import type { Membership } from '../tenancy/members/membership.ts';
import { cutPage, type PageRequest, rowsToRead } from '../tenancy/paging.ts';

/** Days are kept at least this long; those of earlier months are kept by month. */
export const SPEND_DAYS_KEPT = 93;

const DAY_MS = 86_400_000;
const MOST_DAYS = 3_660;

export interface SpendQuery extends PageRequest {
  readonly by: SpendBy;
  /** The first and the last day, UTC; by default this calendar month. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface SumRow extends Record<string, unknown> {
  key: string;
  requests: number;
  input_tokens: number;
  output_tokens: number;
  cost_micros: number;
  unpriced: number;
}

/** Between the model that was asked for and the one that answered. */
const SERVED = '\u001f';

const COLUMN: Readonly<Record<SpendBy, string>> = {
  member: 'user_id',
  workspace: 'workspace_id',
  token: 'token_id',
  model: `case when served = '' then model else model || '${SERVED}' || served end`,
  credential: 'credential',
  // As `writeSurface` in budget.ts has it.
  project: "split_part(surface, '@', 2)",
  day: 'day::text',
};

const fromDays = (by: SpendBy): boolean => by === 'day';

const AMOUNTS = ['requests', 'input_tokens', 'output_tokens', 'cost_micros', 'unpriced'] as const;

/**
 * $1 organization, $2 person or null, $3 and $4 days, $5 and $6 whole months in between. Each part of the days is a range
 * of the primary key: before the months, after them, and within them those that have not been added to their month.
 */
function rowsBy(by: SpendBy, everyone: boolean): string {
  const select = (table: string, key: string, where: string): string =>
    `select ${key} as key, ${AMOUNTS.join(', ')} from :schema.${table} where organization_id = $1 and ($2::text is null or user_id = $2) and ${where}`;
  const days = (where: string): string =>
    select('spend_day', COLUMN[by], `day >= $3::date and day <= $4::date and ${where}`);
  const rolled = '(select through from :schema.spend_rolled)';
  const parts = fromDays(by)
    ? [days(everyone ? `day > ${rolled}` : '$5::date is not null and $6::date is not null')]
    : [days('day < $5::date'), days('day >= $6::date')];
  if (!fromDays(by))
    parts.push(
      select('spend_month', COLUMN[by], 'month >= $5::date and month < $6::date'),
      days(`day >= $5::date and day < $6::date and day > ${rolled}`),
    );
  else if (everyone)
    // The sums of days that are over; the parameters that this part does not need still have types.
    parts.push(
      `select day::text as key, ${AMOUNTS.join(', ')} from :schema.spend_trend where organization_id = $1 and day >= $3::date and day <= $4::date and day <= ${rolled}
          and $5::date is not null and $6::date is not null`,
    );
  return `select s.key, ${AMOUNTS.map((amount) => `sum(s.${amount})::bigint as ${amount}`).join(', ')} from (${parts.join(' union all ')}) s group by s.key`;
}

/** By day the newest first, otherwise the most expensive. */
const ORDER = {
  day: { columns: 't.key, t.cost_micros', after: '$8, $7::bigint', by: 't.key desc' },
  cost: { columns: 't.cost_micros, t.key', after: '$7::bigint, $8', by: 't.cost_micros desc, t.key desc' },
} as const;

/** Owners and admins see everyone, a member only themselves. */
export async function readSpend(db: Queryable, membership: Membership, query: SpendQuery): Promise<SpendPage> {
  // The clock of the database, by which the charges were dated.
  const now = (await db.query<{ now: Date }>('select now() as now')).rows[0]?.now ?? new Date();
  const period = choosePeriod(query, now);
  const person = managesOrganization(membership) ? null : membership.userId;
  const { firstMonth, monthsEnd } = wholeMonths(period, now);
  const range = [membership.organizationId, person, period.from, period.to, firstMonth, monthsEnd];
  const after = readCursor(query.cursor);
  const order = ORDER[fromDays(query.by) ? 'day' : 'cost'];
  const found = await db.query<SumRow & Record<`all_${(typeof AMOUNTS)[number]}`, number>>(
    `select * from (select t.*, ${AMOUNTS.map((amount) => `(sum(t.${amount}) over ())::bigint as all_${amount}`).join(', ')} from (${rowsBy(query.by, person === null)}) t) t
      where $7::bigint is null or (${order.columns}) < (${order.after}) order by ${order.by} limit $9`,
    [...range, after?.cost ?? null, after?.key ?? '', rowsToRead(query)],
  );
  const { rows, ...more } = cutPage(found.rows, query, (row) => writeCursor(row));
  const [any] = found.rows;
  const totals = toSums({
    requests: any?.all_requests ?? 0,
    input_tokens: any?.all_input_tokens ?? 0,
    output_tokens: any?.all_output_tokens ?? 0,
    cost_micros: any?.all_cost_micros ?? 0,
    unpriced: any?.all_unpriced ?? 0,
  });
  return {
    ...period,
    rows: await nameRows(db, query.by, rows, membership.userId),
    total: totals.cost,
    totals,
    ...more,
  };
}

async function nameRows(db: Queryable, by: SpendBy, rows: readonly SumRow[], reader: string): Promise<SpendRow[]> {
  const nameOf = await nameFinder(
    db,
    by,
    rows.map(({ key }) => key),
    reader,
  );
  return rows.map((row) => {
    const [key = '', served] = by === 'model' ? row.key.split(SERVED) : [row.key];
    return { key, name: nameOf(key), ...(served === undefined ? {} : { served }), ...toSums(row) };
  });
}

const CREDENTIALS: Readonly<Record<string, string>> = {
  platform: 'Platform credit',
  'own-key': 'Own key (list price, billed by its provider)',
  'models-account': 'Models account',
};

async function nameFinder(
  db: Queryable,
  by: SpendBy,
  keys: readonly string[],
  reader: string,
): Promise<(key: string) => string> {
  if (by === 'model' || by === 'day') return (key) => key;
  if (by === 'credential') return (key) => CREDENTIALS[key] ?? key;
  return by === 'project' ? findProjectNames(db, reader, keys) : findNames(db, by, keys);
}

type Sums = SpendPage['totals'];

function toSums(row: Pick<SumRow, (typeof AMOUNTS)[number]>): Sums {
  return {
    requests: row.requests,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cost: row.cost_micros / 1_000_000,
    unpriced: row.unpriced,
  };
}

interface Period {
  readonly from: string;
  readonly to: string;
}

/** Where days are kept by month only, the period is widened to whole months. */
export function choosePeriod({ from, to }: Pick<SpendQuery, 'from' | 'to'>, now: Date): Period {
  const today = dayOf(now);
  const [first, last] = [
    from ?? `${(to ?? today).slice(0, 7)}-01`,
    to ?? (from !== undefined && from > today ? from : today),
  ];
  if (first > last) throw new AppError('invalid_request', { from: 'must not be after to' });
  if ((Date.parse(last) - Date.parse(first)) / DAY_MS >= MOST_DAYS)
    throw new AppError('invalid_request', { from: 'must be at most ten years before to' });
  const kept = `${dayOf(new Date(now.getTime() - SPEND_DAYS_KEPT * DAY_MS)).slice(0, 7)}-01`;
  return {
    from: first < kept ? `${first.slice(0, 7)}-01` : first,
    to: last < kept ? dayOf(new Date(Date.parse(nextMonth(last)) - DAY_MS)) : last,
  };
}

/** The months that lie wholly within the period; this month counts as whole if the period goes on until today. */
function wholeMonths({ from, to }: Period, now: Date): { firstMonth: string; monthsEnd: string } {
  const firstMonth = from.endsWith('-01') ? from : nextMonth(from);
  const dayAfter = dayOf(new Date(Date.parse(to) + DAY_MS));
  const monthsEnd = to >= dayOf(now) ? nextMonth(to) : `${dayAfter.slice(0, 7)}-01`;
  return { firstMonth, monthsEnd: monthsEnd < firstMonth ? firstMonth : monthsEnd };
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

function nextMonth(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return dayOf(new Date(Date.UTC(year, month, 1)));
}

function writeCursor({ cost_micros, key }: SumRow): string {
  return Buffer.from(`${cost_micros}|${key}`).toString('base64url');
}

function readCursor(cursor: string | undefined): { cost: number; key: string } | undefined {
  if (cursor === undefined) return undefined;
  const [, cost, key] = /^(\d{1,15})\|([^\0]*)$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (cost === undefined || key === undefined)
    throw new AppError('invalid_request', { cursor: 'is not a cursor of this list' });
  return { cost: Number(cost), key };
}
