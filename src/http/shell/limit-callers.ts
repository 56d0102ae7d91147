// How often one person may ask, kept in memory: a sliding estimate over two fixed windows, so that a burst at the
// edge of a minute is not counted as two. Bounded; who was quiet longest is forgotten first.
import type { Clock } from '../../base/clock.ts';

const WINDOW_MS = 60_000;
const MAX_CALLERS = 10_000;

interface Counted {
  windowMs: number;
  now: number;
  before: number;
}

export interface CallerLimit {
  /** Undefined when the request may pass; else the seconds to wait. */
  take(caller: string): number | undefined;
}

/** With 0, anybody may ask as often as they like. */
export function createCallerLimit(perMinute: number, clock: Clock): CallerLimit {
  if (perMinute === 0) return { take: () => undefined };
  const callers = new Map<string, Counted>();
  return {
    take(caller) {
      const nowMs = clock().getTime();
      const windowMs = nowMs - (nowMs % WINDOW_MS);
      const counted = callers.get(caller) ?? { windowMs, now: 0, before: 0 };
      if (counted.windowMs !== windowMs) {
        counted.before = counted.windowMs === windowMs - WINDOW_MS ? counted.now : 0;
        counted.now = 0;
        counted.windowMs = windowMs;
      }
      callers.delete(caller);
      callers.set(caller, counted);
      if (callers.size > MAX_CALLERS) {
        const [quietest] = callers.keys();
        if (quietest !== undefined) callers.delete(quietest);
      }
      const passed = (nowMs - windowMs) / WINDOW_MS;
      if (counted.now + counted.before * (1 - passed) >= perMinute)
        return Math.max(1, Math.ceil((WINDOW_MS - (nowMs - windowMs)) / 1_000));
      counted.now++;
      return undefined;
    },
  };
}
