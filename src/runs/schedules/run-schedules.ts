// The clock of an api process. It sleeps until the earliest schedule is due, at most a minute, and is woken when one is
// saved or a notice may have been lost; then it claims what is due, in batches, and starts it. Any number of processes do.
import type { Log } from '../../telemetry/log.ts';
import type { Meter } from '../../telemetry/metrics/create-meter.ts';
import type { Database } from '../../store/database.ts';
import type { Listener } from '../../store/listen.ts';
import { every } from '../../timing/every.ts';
import { limitConcurrency } from '../../timing/limit-concurrency.ts';
import { CLAIMED_AT_ONCE, type ClaimedSchedule, claimDue, readPauseMs } from './claim-due.ts';
import { type FireDeps, fireSchedule, giveUpIfOld } from './fire-schedule.ts';
import { SCHEDULE_TOPIC } from './save-schedule.ts';

export interface ScheduleClockDeps extends FireDeps {
  readonly db: Database;
  readonly listener: Pick<Listener, 'subscribe'>;
  readonly log: Log;
  readonly meter?: Pick<Meter, 'count' | 'observe'> | undefined;
}

export interface ScheduleClock {
  /** Starts what is due now; also what the clock does. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

const SLEEP_MS = 60_000;
const AFTER_FAILURE_MS = 2_000;
const AT_ONCE = 8;

export function runSchedules(deps: ScheduleClockDeps): ScheduleClock {
  const { db, listener, log } = deps;
  let alarm: NodeJS.Timeout | undefined;
  let isAsked = false;

  function wakeIn(ms: number): void {
    clearTimeout(alarm);
    alarm = setTimeout(ask, ms);
  }

  /** Several reasons to look while it is working are one. */
  function ask(): void {
    if (isAsked) return;
    isAsked = true;
    void clock.run();
  }

  const clock = every({
    everyMs: SLEEP_MS,
    task: 'starting schedules',
    log,
    async run(stopping) {
      isAsked = false;
      wakeIn(AFTER_FAILURE_MS);
      await startDue(deps, stopping);
      const pauseMs = await readPauseMs(db);
      if (stopping.aborted || pauseMs === undefined || pauseMs > SLEEP_MS) clearTimeout(alarm);
      else wakeIn(pauseMs);
    },
  });
  const unsubscribe = listener.subscribe(SCHEDULE_TOPIC, ask);
  ask();
  return {
    run: clock.run,
    async stop() {
      unsubscribe();
      clearTimeout(alarm);
      await clock.stop();
      clearTimeout(alarm);
    },
  };
}

async function startDue(deps: ScheduleClockDeps, stopping: AbortSignal): Promise<void> {
  const gate = limitConcurrency(() => AT_ONCE);
  for (let found = CLAIMED_AT_ONCE; found === CLAIMED_AT_ONCE && !stopping.aborted;) {
    const claims = await claimDue(deps.db);
    found = claims.length;
    await Promise.all(claims.map((claimed) => gate(() => fire(deps, claimed))));
  }
}

/** One that fails keeps its lease, and is tried again when that has ended. */
async function fire(deps: ScheduleClockDeps, claimed: ClaimedSchedule): Promise<void> {
  const { plannedAt, claimedAt, schedule } = claimed;
  const { meter, log } = deps;
  const startedAt = performance.now();
  try {
    const { outcome } = await fireSchedule(deps, claimed);
    const lateMs = claimedAt.getTime() - plannedAt.getTime() + performance.now() - startedAt;
    meter?.count('service_schedule_firings_total', [outcome]);
    if (outcome === 'started') meter?.observe('service_schedule_lag_seconds', [], lateMs / 1_000);
  } catch (error) {
    log.warn({ schedule: schedule.standing.id, err: error }, 'could not start the run of a schedule, will try again');
    const gaveUp = await giveUpIfOld(deps, claimed).catch(() => false);
    if (gaveUp) meter?.count('service_schedule_firings_total', ['refused']);
  }
}
