// When read repair runs. A list waits for it; the catalogue and the manifest only ask for it. One repair a workspace at
// a time; those that are only asked for are bounded in number and frequency, and nothing runs while the provider asks
// to be left alone.
import type { Scope } from './connection-types.ts';
import type { RepairOutcome } from './read-repair.ts';
import { createBoundedMap } from '../timing/bounded-cache.ts';

export interface RepairSchedule {
  /** Resolves when a repair that began after this call has ended. */
  awaitRepair(scope: Scope): Promise<void>;
  /** Has a repair run soon, unless one has just run. */
  deferRepair(scope: Scope): void;
  /** Resolves when nothing runs any more. */
  idle(): Promise<void>;
}

export interface ScheduleOptions {
  /** Must not throw. */
  readonly repair: (scope: Scope) => Promise<RepairOutcome>;
  readonly minIntervalMs?: number;
  readonly deferredAtOnce?: number;
  readonly nowMs?: () => number;
}

const MIN_INTERVAL_MS = 2_000;
const DEFERRED_AT_ONCE = 2;
const MOST_WAITING = 200;
const MOST_REMEMBERED = 2_000;

interface Flight {
  readonly current: Promise<void>;
  next?: Promise<void>;
}

export function createRepairSchedule({
  repair,
  minIntervalMs = MIN_INTERVAL_MS,
  deferredAtOnce = DEFERRED_AT_ONCE,
  nowMs = () => performance.now(),
}: ScheduleOptions): RepairSchedule {
  const flights = new Map<string, Flight>();
  const startedAt = createBoundedMap<string, number>(MOST_REMEMBERED);
  const waiting = new Map<string, Scope>();
  let deferred = 0;
  let leaveAloneUntil = 0;

  function start(scope: Scope): Promise<void> {
    const key = scope.workspaceId;
    startedAt.set(key, nowMs());
    const current = (async () => {
      if (nowMs() < leaveAloneUntil) return;
      const { retryAfterSeconds } = await repair(scope);
      if (retryAfterSeconds !== undefined) leaveAloneUntil = nowMs() + retryAfterSeconds * 1_000;
    })().finally(() => {
      if (flights.get(key)?.current === current && flights.get(key)?.next === undefined) flights.delete(key);
    });
    flights.set(key, { current });
    return current;
  }

  function awaitRepair(scope: Scope): Promise<void> {
    const flight = flights.get(scope.workspaceId);
    if (!flight) return start(scope);
    // The one under way may have looked before what the caller has in mind happened.
    flight.next ??= flight.current.then(() => start(scope));
    return flight.next;
  }

  function pump(): void {
    for (const [key, scope] of waiting) {
      if (deferred >= deferredAtOnce) return;
      waiting.delete(key);
      if (flights.has(key)) continue;
      deferred++;
      void start(scope).finally(() => {
        deferred--;
        pump();
      });
    }
  }

  return {
    awaitRepair,
    deferRepair(scope) {
      const key = scope.workspaceId;
      const last = startedAt.get(key);
      if (flights.has(key) || waiting.size >= MOST_WAITING || (last !== undefined && nowMs() - last < minIntervalMs))
        return;
      waiting.set(key, scope);
      // Not in the caller's turn: an answer never waits for it.
      setImmediate(pump);
    },
    async idle() {
      while (waiting.size > 0 || flights.size > 0) {
        if (flights.size > 0) await Promise.all([...flights.values()].map(({ current, next }) => next ?? current));
        else await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}
