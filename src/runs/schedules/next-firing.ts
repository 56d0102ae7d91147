// When a schedule fires: pure, with the moment handed in. The next time follows from the one before it, so that any
// process that computes it comes to the same one; what was missed is decided once, when a process claims the schedule.
import type { CatchUp } from '../../contract/standing/schedules.ts';
import { nextCronTime } from './cron-line.ts';

export type Timing =
  | { readonly cron: string; readonly timezone: string }
  | { readonly everySeconds: number; readonly anchor: Date }
  | { readonly at: Date };

/** A time that is older than this when it is claimed was missed, and with `none` is not started any later. */
const MISSED_AFTER_MS = 120_000;

/** The first planned time after a moment, if there is one. */
export function nextFiring(timing: Timing, after: Date): Date | undefined {
  if ('at' in timing) return timing.at > after ? timing.at : undefined;
  if ('cron' in timing) {
    const next = nextCronTime(timing.cron, timing.timezone, after.getTime());
    return next === undefined ? undefined : new Date(next);
  }
  const everyMs = timing.everySeconds * 1_000;
  const anchor = timing.anchor.getTime();
  const passed = Math.max(0, Math.floor((after.getTime() - anchor) / everyMs));
  return new Date(anchor + (passed + 1) * everyMs);
}

/** The newest planned time that is not after `now`, which is `planned` or later. */
function newestFiring(timing: Timing, planned: Date, now: Date): Date {
  let newest = planned;
  const following = nextFiring(timing, planned);
  if (following === undefined || following > now) return newest;
  // The first time after a moment never comes earlier for a later moment, so halving finds the last one.
  for (let low = planned.getTime(), high = now.getTime(); low < high;) {
    const middle = Math.ceil((low + high) / 2);
    const next = nextFiring(timing, new Date(middle - 1));
    if (next === undefined || next > now) high = middle - 1;
    else [newest, low] = [next, Math.max(middle, next.getTime())];
  }
  return newest;
}

export interface Claimed {
  readonly firingAt: Date;
  /** Started, or missed for good. */
  readonly starts: boolean;
}

export interface Due {
  readonly plannedAt: Date;
  /** What a process that died had claimed: another takes over the same time, not a newer one. */
  readonly firingAt?: Date | undefined;
}

/** Which time a process that claims the schedule at `now` starts. */
export function claimFiring(timing: Timing, catchUp: CatchUp, due: Due, now: Date): Claimed {
  const firingAt = due.firingAt ?? newestFiring(timing, due.plannedAt, now);
  return { firingAt, starts: catchUp === 'one' || now.getTime() - firingAt.getTime() <= MISSED_AFTER_MS };
}

/** Between the first and the last start of a crowd that is planned for the same time. */
const MOST_SPREAD_MS = 40_000;

/** How far a schedule may be moved after its planned time: never so far that the next one is near. */
export function spreadRoomMs(timing: Timing, planned: Date): number {
  if ('at' in timing) return 0;
  const following = nextFiring(timing, planned);
  const gapMs = following === undefined ? Infinity : following.getTime() - planned.getTime();
  return Math.min(MOST_SPREAD_MS, gapMs / 2);
}
