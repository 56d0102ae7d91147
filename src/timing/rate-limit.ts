// How often a key, such as a person or a network, may do something. In memory and bounded: a flood of new keys pushes
// out the oldest and never grows. Two kinds of windows, because they promise different things: a sliding one lets a key
// through again little by little, a fixed one begins with the first attempt and can take attempts back.
import { createBoundedMap, createTtlCache } from './bounded-cache.ts';

export interface RateLimit {
  /** Undefined when the attempt is allowed; otherwise the seconds to wait. An attempt may count for more or less than one. */
  take(key: string, weight?: number): number | undefined;
}

export interface RateLimitOptions {
  readonly max: number;
  readonly windowMs: number;
  readonly keysMax?: number;
  readonly nowMs?: () => number;
}

/**
 * Estimates the rate over two aligned windows, so that a burst around the boundary is not allowed twice. Attempts that
 * are refused do not count. With a maximum of 0 there is no limit.
 */
export function createSlidingLimit({ max, windowMs, keysMax = 10_000, nowMs = Date.now }: RateLimitOptions): RateLimit {
  if (max === 0) return { take: () => undefined };
  const keys = createBoundedMap<string, { startsAt: number; count: number; before: number }>(keysMax);
  return {
    take(key, weight = 1) {
      const now = nowMs();
      const startsAt = now - (now % windowMs);
      const counted = keys.get(key) ?? { startsAt, count: 0, before: 0 };
      if (counted.startsAt !== startsAt) {
        counted.before = counted.startsAt === startsAt - windowMs ? counted.count : 0;
        counted.count = 0;
        counted.startsAt = startsAt;
      }
      keys.set(key, counted);
      const passed = (now - startsAt) / windowMs;
      // Compared before it is added, so that an attempt that counts for a lot is allowed at all.
      if (counted.count + counted.before * (1 - passed) >= max) return secondsUntil(startsAt + windowMs, now);
      counted.count += weight;
      return undefined;
    },
  };
}

export interface AttemptLimit extends RateLimit {
  /** Takes back an attempt that turned out not to count. */
  giveBack(key: string): void;
  /** The seconds to wait, without counting an attempt. */
  wait(key: string): number | undefined;
}

/** Counts every attempt, refused ones included, in a window that begins with the first. */
export function createAttemptLimit({
  max,
  windowMs,
  keysMax = 20_000,
  nowMs = Date.now,
}: RateLimitOptions): AttemptLimit {
  const windows = createTtlCache<string, { count: number; readonly endsAt: number }>({
    most: keysMax,
    ttlMs: windowMs,
    nowMs,
  });
  return {
    take(key, weight = 1) {
      const window = windows.get(key);
      if (window) {
        window.count += weight;
        return window.count > max ? secondsUntil(window.endsAt, nowMs()) : undefined;
      }
      windows.set(key, { count: weight, endsAt: nowMs() + windowMs });
      return undefined;
    },
    giveBack(key) {
      const window = windows.get(key);
      if (window && window.count > 0) window.count--;
    },
    wait(key) {
      const window = windows.get(key);
      return window && window.count >= max ? secondsUntil(window.endsAt, nowMs()) : undefined;
    },
  };
}

function secondsUntil(endsAt: number, now: number): number {
  return Math.max(1, Math.ceil((endsAt - now) / 1000));
}
