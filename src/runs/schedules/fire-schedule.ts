// Starts the run of a claimed schedule and records what became of the planned time. The idempotency key of the run is made
// of the schedule and the time, so that of several processes that try, whatever they die of, all get the same run; the
// record, the next time and the end of the claim are one statement.
import { AppError } from '../../base/errors.ts';
import type { FiringOutcome } from '../../contract/standing/schedules.ts';
import type { Dispatcher } from '../delivery/dispatch-run.ts';
import { abortRun } from '../record/abort-run.ts';
import { findRun } from '../record/find-runs.ts';
import { findStarted } from '../record/insert-run.ts';
import { isFinal } from '../record/run-states.ts';
import { type Run, streamOf } from '../record/run.ts';
import { type BeginDeps, beginRun, type Begun } from '../standing/begin-run.ts';
import type { ClaimedSchedule } from './claim-due.ts';
import { nextFiring } from './next-firing.ts';
import { lookAt, planAfter } from './plan-next.ts';
import type { Schedule } from './schedule.ts';

export interface FireDeps extends BeginDeps {
  readonly dispatcher: Pick<Dispatcher, 'dispatch' | 'cancel'>;
}

export interface Fired {
  readonly outcome: FiringOutcome;
  readonly jobId?: string;
  readonly code?: string;
}

export function firingKey(scheduleId: string, plannedAt: Date): string {
  return `schedule:${scheduleId}:${plannedAt.toISOString()}`;
}

export async function fireSchedule(deps: FireDeps, claimed: ClaimedSchedule): Promise<Fired> {
  const fired = await start(deps, claimed);
  await recordFiring(deps, claimed, fired);
  return fired;
}

async function start(deps: FireDeps, { schedule, plannedAt, starts }: ClaimedSchedule): Promise<Fired> {
  const { standing, overlap } = schedule;
  const key = firingKey(standing.id, plannedAt);
  const started = await findStarted(deps.db, standing, key);
  if (!started && !starts) return { outcome: 'skipped', code: 'missed' };
  // Where an earlier attempt has started it, the last run is this one.
  const last = overlap === 'queue' || started ? undefined : await findLast(deps, schedule);
  if (last && overlap === 'skip') return { outcome: 'skipped', code: 'still_running' };
  if (last) {
    const refused = await abortLast(deps, last);
    if (refused) return refused;
  }
  return firedBy(await beginRun(deps, standing, { objective: standing.run.objective, idempotencyKey: key }));
}

export function firedBy(begun: Begun): Fired {
  return begun.outcome === 'started'
    ? { outcome: 'started', jobId: begun.run.id }
    : { outcome: 'refused', code: begun.code };
}

async function findLast({ db }: FireDeps, { standing: { lastRun } }: Schedule): Promise<Run | undefined> {
  const run = lastRun === undefined ? undefined : await findRun(db, lastRun);
  return run && !isFinal(run.status) ? run : undefined;
}

/** A chain that does not verify cannot be ended by anyone but its operator. */
async function abortLast({ db, announcer, dispatcher }: FireDeps, last: Run): Promise<Fired | undefined> {
  try {
    const { run, changed } = await abortRun(db, last, 'system:api');
    if (!changed) return undefined;
    announcer.announce([{ stream: streamOf(run) }]);
    dispatcher.cancel(run);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'internal') throw error;
    return { outcome: 'refused', code: error.code };
  }
}

/** One that was turned off or changed meanwhile keeps what it was given then. */
const RECORD = `
with recorded as (
  insert into :schema.schedule_firing (schedule_id, planned_at, at, outcome, job_id, code)
    select p.id, $2, now(), $3, $4, $5 from :schema.schedule p where p.id = $1 on conflict do nothing
), pruned as (
  delete from :schema.schedule_firing where schedule_id = $1 and planned_at < now() - interval '30 days'
)
update :schema.schedule p set firing_at = null,
    next_at = case when s.paused_reason is null then $6::timestamptz end,
    look_at = case when s.paused_reason is null then ${lookAt('$6', '$7', '$8')} end
  from :schema.standing_run s where p.id = $1 and s.id = p.id and p.firing_at = $2`;

async function recordFiring(
  { db }: Pick<FireDeps, 'db'>,
  { schedule: { standing, timing }, plannedAt }: Pick<ClaimedSchedule, 'schedule' | 'plannedAt'>,
  { outcome, jobId, code }: Fired,
): Promise<void> {
  const plan = planAfter(standing.id, timing, plannedAt);
  await db.query(RECORD, [
    standing.id,
    plannedAt,
    outcome,
    jobId ?? null,
    code ?? null,
    plan.nextAt,
    plan.place,
    plan.roomMs,
  ]);
}

/** A single time has no next one. */
const MOST_TRIES_MS = 3_600_000;

/**
 * What keeps failing, although nothing refuses it, is given up when the next time is due: the schedule goes on then.
 */
export async function giveUpIfOld(deps: FireDeps, claimed: ClaimedSchedule): Promise<boolean> {
  const { schedule, plannedAt, claimedAt } = claimed;
  const next = nextFiring(schedule.timing, plannedAt);
  const until = next ?? new Date(plannedAt.getTime() + MOST_TRIES_MS);
  if (claimedAt < until) return false;
  const started = await findStarted(deps.db, schedule.standing, firingKey(schedule.standing.id, plannedAt));
  await recordFiring(
    deps,
    claimed,
    started ? { outcome: 'started', jobId: started.id } : { outcome: 'refused', code: 'internal' },
  );
  return true;
}
