// Counts attempts in fixed windows, in memory and bounded: a flood of new keys pushes out the oldest, never grows.
import { createTtlCache } from '../timing/bounded-cache.ts';

export interface AttemptLimit {
  /** Counts one attempt; answers the seconds to wait when it is one too many. */
  take(key: string): number | undefined;
  /** Takes back one attempt that turned out not to count. */
  giveBack(key: string): void;
  /** The seconds to wait, without counting. */
  wait(key: string): number | undefined;
}

export interface AttemptLimitOptions {
  readonly max: number;
  readonly windowMs: number;
  readonly keysMax?: number;
  readonly now?: () => number;
}

interface Window {
  count: number;
  readonly endsAt: number;
}

export function createAttemptLimit({
  max,
  windowMs,
  keysMax = 20_000,
  now = Date.now,
}: AttemptLimitOptions): AttemptLimit {
  const windows = createTtlCache<string, Window>({ most: keysMax, ttlMs: windowMs, nowMs: now });
  const secondsLeft = (window: Window): number => Math.max(1, Math.ceil((window.endsAt - now()) / 1000));

  return {
    take(key) {
      const window = windows.get(key);
      if (window) {
        window.count++;
        return window.count > max ? secondsLeft(window) : undefined;
      }
      windows.set(key, { count: 1, endsAt: now() + windowMs });
      return undefined;
    },
    giveBack(key) {
      const window = windows.get(key);
      if (window && window.count > 0) window.count--;
    },
    wait(key) {
      const window = windows.get(key);
      return window && window.count >= max ? secondsLeft(window) : undefined;
    },
  };
}
