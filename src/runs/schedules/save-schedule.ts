// Makes, changes and deletes schedules, each in one transaction with the standing run that it belongs to.
import { AppError } from '../../base/errors.ts';
import type { StandingRequest } from '../../contract/standing/standing-runs.ts';
import type { CatchUp, Overlap } from '../../contract/standing/schedules.ts';
import type { Database, Transaction } from '../../store/database.ts';
import { notify } from '../../store/listen.ts';
import type { Caller } from '../../tenancy/tokens/find-caller.ts';
import {
  changeStanding,
  insertStanding,
  readWish,
  removeStanding,
  requestOf,
  switchStanding,
  type WishDeps,
} from '../standing/change-standing.ts';
import { getStanding, requireMaker } from '../standing/find-standing.ts';
import { nextFiring, type Timing } from './next-firing.ts';
import { lookAt, planAfter } from './plan-next.ts';
import { namesTimes, readTiming, type WantedTimes } from './read-timing.ts';
import { type Schedule, SCHEDULES } from './schedule.ts';

export interface ScheduleRules {
  readonly perPerson: number;
  readonly minSeconds: number;
}

export interface SaveDeps extends WishDeps {
  readonly db: Database;
  readonly rules: ScheduleRules;
}

/** Notified when a schedule may fire earlier than the processes expect. */
export const SCHEDULE_TOPIC = 'schedule';

export interface ScheduleWish extends WantedTimes {
  readonly name: string;
  readonly run: StandingRequest;
  readonly overlap: Overlap;
  readonly catchUp: CatchUp;
  readonly enabled: boolean;
}

const LOCK_PERSON = "select pg_advisory_xact_lock(hashtextextended('schedules of ' || $1, 0))";
const COUNT = "select count(*)::int as count from :schema.standing_run where created_by = $1 and kind = 'schedule'";
const INSERT = `
insert into :schema.schedule (id, cron, timezone, every_seconds, at, anchored_at, overlap, catch_up, next_at, look_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, ${lookAt('$9', '$10', '$11')})`;

export async function createSchedule(deps: SaveDeps, caller: Caller, wanted: ScheduleWish): Promise<Schedule> {
  const { db, rules } = deps;
  const { organizationId } = caller;
  if (organizationId === undefined) throw new AppError('workspace_membership_required');
  const wish = await readWish(deps, caller, wanted);
  const id = await db.transaction(async (tx) => {
    const now = await readNow(tx);
    const timing = readTiming(wanted, { now, minSeconds: rules.minSeconds });
    await requireRoom(tx, caller.userId, rules.perPerson);
    const made = await insertStanding(tx, {
      ...wish,
      kind: SCHEDULES.kind,
      prefix: SCHEDULES.prefix,
      organizationId,
      userId: caller.userId,
      enabled: wanted.enabled,
    });
    const plan = wanted.enabled ? planAfter(made, timing, now) : OFF;
    await tx.query(INSERT, [
      made,
      ...timingValues(timing, now),
      wanted.overlap,
      wanted.catchUp,
      plan.nextAt,
      plan.place,
      plan.roomMs,
    ]);
    await notify(tx, db, SCHEDULE_TOPIC);
    return made;
  });
  return (await getStanding(db, SCHEDULES, caller, { id })).one;
}

const OFF = { nextAt: null, place: 0, roomMs: 0 };

async function readNow(tx: Transaction): Promise<Date> {
  const { rows } = await tx.query<{ now: Date }>("select date_trunc('milliseconds', now()) as now");
  return rows[0]?.now ?? new Date();
}

async function requireRoom(tx: Transaction, userId: string, limit: number): Promise<void> {
  await tx.query(LOCK_PERSON, [userId]);
  const { rows } = await tx.query<{ count: number }>(COUNT, [userId]);
  if ((rows[0]?.count ?? 0) >= limit) throw new AppError('too_many_schedules', { limit });
}

function timingValues(timing: Timing, now: Date): unknown[] {
  if ('cron' in timing) return [timing.cron, timing.timezone, null, null, now];
  return 'at' in timing ? [null, null, null, timing.at, now] : [null, null, timing.everySeconds, null, timing.anchor];
}

type Changed = { readonly [K in keyof ScheduleWish]?: ScheduleWish[K] | undefined };

export interface ScheduleChange extends Changed {
  readonly id: string;
}

const CHANGE = `
update :schema.schedule set cron = $2, timezone = $3, every_seconds = $4, at = $5, anchored_at = $6, overlap = $7, catch_up = $8,
    next_at = $9, look_at = ${lookAt('$9', '$10', '$11')}, firing_at = null
  where id = $1`;
const KEEP_TIMES = 'update :schema.schedule set overlap = $2, catch_up = $3 where id = $1';

/** Owners and admins may turn it off; all else is for the person who made it, and lends it the authority of their token. */
export async function changeSchedule(deps: SaveDeps, caller: Caller, change: ScheduleChange): Promise<Schedule> {
  const { db } = deps;
  const { id, ...wanted } = change;
  const { one: found, right } = await getStanding(db, SCHEDULES, caller, { id });
  const changes = Object.entries(wanted).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const onlyOff = wanted.enabled === false && changes.length === 1;
  if (!onlyOff) requireMaker(right);
  const wish = onlyOff
    ? undefined
    : await readWish(deps, caller, {
        name: wanted.name ?? found.standing.name,
        run: wanted.run ?? requestOf(found.standing),
        before: found.standing,
      });
  await db.transaction(async (tx) => {
    const { one: before } = await getStanding(tx, SCHEDULES, caller, { id, lock: true });
    if (wish) await changeStanding(tx, id, wish);
    if (wanted.enabled !== undefined) await switchStanding(tx, id, wanted.enabled);
    await changeTimes(tx, deps.rules, before, wanted);
    await notify(tx, db, SCHEDULE_TOPIC);
  });
  return (await getStanding(db, SCHEDULES, caller, { id })).one;
}

/** Without new times, the next one stays unless the schedule is turned on or off. */
async function changeTimes(
  tx: Transaction,
  { minSeconds }: ScheduleRules,
  before: Schedule,
  wanted: Omit<ScheduleChange, 'id'>,
): Promise<void> {
  const { standing } = before;
  const now = await readNow(tx);
  const timing = namesTimes(wanted) ? readTiming(withLine(before.timing, wanted), { now, minSeconds }) : before.timing;
  const [overlap, catchUp] = [wanted.overlap ?? before.overlap, wanted.catchUp ?? before.catchUp];
  const ran = standing.enabled && standing.paused === undefined;
  const runs = wanted.enabled ?? ran;
  if (timing === before.timing && runs === ran) {
    await tx.query(KEEP_TIMES, [standing.id, overlap, catchUp]);
    return;
  }
  const plan = runs ? planAfter(standing.id, timing, now) : OFF;
  if (wanted.enabled === true && !nextFiring(timing, now))
    throw new AppError('invalid_schedule', { field: 'at', reason: 'past' });
  await tx.query(CHANGE, [
    standing.id,
    ...timingValues(timing, now),
    overlap,
    catchUp,
    plan.nextAt,
    plan.place,
    plan.roomMs,
  ]);
}

/** A new line keeps its zone, and a new zone its line. */
function withLine(before: Timing, wanted: WantedTimes): WantedTimes {
  if (!('cron' in before) || wanted.every !== undefined || wanted.at !== undefined) return wanted;
  return { cron: wanted.cron ?? before.cron, timezone: wanted.timezone ?? before.timezone };
}

export async function removeSchedule(db: Database, caller: Caller, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    await getStanding(tx, SCHEDULES, caller, { id, lock: true });
    await removeStanding(tx, id);
  });
}
