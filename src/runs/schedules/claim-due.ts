// Claims the schedules that are due. A claim is a lease: the schedule is due again when it ends, so what a process that
// died had claimed is soon claimed by another, which starts the same planned time. Organizations take turns among those
// that have been due the longest.
import type { Database, Queryable, Transaction } from '../../store/database.ts';
import { standingColumns, toStandingRun } from '../standing/standing-run.ts';
import { claimFiring } from './next-firing.ts';
import { type Schedule, type ScheduleRow, SCHEDULES } from './schedule.ts';

export interface ClaimedSchedule {
  readonly schedule: Schedule;
  readonly plannedAt: Date;
  /** False for one that is only to be recorded as missed. */
  readonly starts: boolean;
  /** On the clock of the database. */
  readonly claimedAt: Date;
}

const LEASE_SECONDS = 10;
export const CLAIMED_AT_ONCE = 50;
const LOOKED_AT = 1_000;

const CLAIM = `
with due as materialized (
  select p.id, p.look_at, s.organization_id from :schema.schedule p join :schema.standing_run s on s.id = p.id
    where p.look_at <= now() order by p.look_at limit ${LOOKED_AT}
), turns as materialized (
  select id, look_at, row_number() over (partition by organization_id order by look_at) as turn from due
)
select ${standingColumns('s')}, ${SCHEDULES.columns.map((name) => `p.${name}`).join(', ')}, p.firing_at, date_trunc('milliseconds', now()) as now
  from turns t join :schema.schedule p on p.id = t.id join :schema.standing_run s on s.id = p.id
  where p.look_at <= now() order by t.turn, t.look_at limit ${CLAIMED_AT_ONCE} for update of p skip locked`;

/** Those that are off or paused by now have no next time. */
const LEASE = `
update :schema.schedule p
  set firing_at = c.firing_at, look_at = case when c.firing_at is null then null else now() + interval '${LEASE_SECONDS} seconds' end,
      next_at = case when c.firing_at is null then null else p.next_at end
  from unnest($1::text[], $2::timestamptz[]) as c (id, firing_at) where p.id = c.id`;

type ClaimRow = ScheduleRow & { firing_at: Date | null; now: Date };

export function claimDue(db: Database): Promise<ClaimedSchedule[]> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.query<ClaimRow>(CLAIM);
    const claims = rows.map(toClaim);
    await lease(tx, rows, claims);
    return claims.filter((claim) => claim !== undefined);
  });
}

async function lease(
  tx: Transaction,
  rows: readonly ClaimRow[],
  claims: readonly (ClaimedSchedule | undefined)[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(LEASE, [rows.map(({ id }) => id), claims.map((claim) => claim?.plannedAt ?? null)]);
}

function toClaim(row: ClaimRow): ClaimedSchedule | undefined {
  const schedule = SCHEDULES.toOne(row, toStandingRun(row));
  const { standing, nextAt, timing, catchUp } = schedule;
  if (!nextAt || !standing.enabled || standing.paused) return undefined;
  const claimedAt = row.now;
  const due = { plannedAt: nextAt, firingAt: row.firing_at ?? undefined };
  const { firingAt, starts } = claimFiring(timing, catchUp, due, claimedAt);
  return { schedule, plannedAt: firingAt, starts, claimedAt };
}

const EARLIEST =
  'select extract(epoch from look_at - now())::float8 * 1000 as in_ms from :schema.schedule where look_at is not null order by look_at limit 1';

/** How long until the next one is due; undefined if there is none. */
export async function readPauseMs(db: Database): Promise<number | undefined> {
  const { rows } = await db.query<{ in_ms: number }>(EARLIEST);
  return rows[0] && Math.max(0, rows[0].in_ms);
}

const OVERDUE =
  "select count(*)::int as overdue from (select from :schema.schedule where look_at < now() - interval '5 minutes' limit 1000) d";

/** Those that no process has claimed in time. */
export async function countOverdue(on: Queryable): Promise<number> {
  const { rows } = await on.query<{ overdue: number }>(OVERDUE);
  return rows[0]?.overdue ?? 0;
}
