// A schedule as its rows have it, and as the interface shows it.
import type { CatchUp, Overlap, ScheduleOnWire } from '../../contract/standing/schedules.ts';
import { presentStanding } from '../standing/change-standing.ts';
import type { StandingPart } from '../standing/find-standing.ts';
import type { StandingRow, StandingRun } from '../standing/standing-run.ts';
import type { Timing } from './next-firing.ts';

export interface Schedule {
  readonly standing: StandingRun;
  readonly timing: Timing;
  readonly overlap: Overlap;
  readonly catchUp: CatchUp;
  readonly nextAt: Date | undefined;
}

export interface ScheduleRow extends StandingRow {
  cron: string | null;
  timezone: string | null;
  every_seconds: number | null;
  at: Date | null;
  anchored_at: Date;
  overlap: Overlap;
  catch_up: CatchUp;
  next_at: Date | null;
}

export const SCHEDULES: StandingPart<ScheduleRow, Schedule> = {
  kind: 'schedule',
  prefix: 'sch',
  table: 'schedule',
  columns: ['cron', 'timezone', 'every_seconds', 'at', 'anchored_at', 'overlap', 'catch_up', 'next_at'],
  toOne: (row, standing) => ({
    standing,
    timing: toTiming(row),
    overlap: row.overlap,
    catchUp: row.catch_up,
    nextAt: row.next_at ?? undefined,
  }),
};

function toTiming({ cron, timezone, every_seconds: everySeconds, at, anchored_at: anchor }: ScheduleRow): Timing {
  if (cron !== null && timezone !== null) return { cron, timezone };
  if (everySeconds !== null) return { everySeconds, anchor };
  if (at !== null) return { at };
  throw new TypeError('a schedule has no times');
}

export function presentSchedule({ standing, timing, overlap, catchUp, nextAt }: Schedule): ScheduleOnWire {
  return {
    ...presentStanding(standing),
    ...presentTiming(timing),
    overlap,
    catchUp,
    ...(nextAt ? { nextAt: nextAt.toISOString() } : {}),
  };
}

function presentTiming(timing: Timing): Pick<ScheduleOnWire, 'cron' | 'timezone' | 'every' | 'at'> {
  if ('cron' in timing) return timing;
  return 'at' in timing ? { at: timing.at.toISOString() } : { every: timing.everySeconds };
}
