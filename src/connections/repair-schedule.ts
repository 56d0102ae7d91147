// When read repair runs. A list waits for it; the catalogue and the manifest only request one in the background. Each
// workspace has at most one repair at a time, background repairs are bounded in number and frequency, and none runs
// while the provider has asked us to wait.
import type { WorkspaceRef } from '../tenancy/workspaces/workspace-ref.ts';
import type { RepairOutcome } from './read-repair.ts';
import { createBoundedMap } from '../timing/bounded-cache.ts';

export interface RepairSchedule {
  /** Resolves when a repair that started after this call has finished. */
  awaitRepair(ref: WorkspaceRef): Promise<void>;
  /** Runs a repair soon, unless one has just run. */
  deferRepair(ref: WorkspaceRef): void;
  /** Resolves when no repair is running or waiting. */
  idle(): Promise<void>;
}

export interface ScheduleOptions {
  /** Must not throw. */
  readonly repair: (ref: WorkspaceRef) => Promise<RepairOutcome>;
  readonly minIntervalMs?: number;
  readonly deferredAtOnce?: number;
  readonly nowMs?: () => number;
}

const MIN_INTERVAL_MS = 2_000;
const MAX_DEFERRED = 2;
const MAX_WAITING = 200;
const MAX_REMEMBERED = 2_000;

interface Flight {
  readonly current: Promise<void>;
  next?: Promise<void>;
}

export function createRepairSchedule({
  repair,
  minIntervalMs = MIN_INTERVAL_MS,
  deferredAtOnce = MAX_DEFERRED,
  nowMs = () => performance.now(),
}: ScheduleOptions): RepairSchedule {
  const flights = new Map<string, Flight>();
  const startedAt = createBoundedMap<string, number>(MAX_REMEMBERED);
  const waiting = new Map<string, WorkspaceRef>();
  let deferred = 0;
  let pausedUntil = 0;

  function start(ref: WorkspaceRef): Promise<void> {
    const key = ref.workspaceId;
    startedAt.set(key, nowMs());
    const current = (async () => {
      if (nowMs() < pausedUntil) return;
      const { retryAfterSeconds } = await repair(ref);
      if (retryAfterSeconds !== undefined) pausedUntil = nowMs() + retryAfterSeconds * 1_000;
    })().finally(() => {
      if (flights.get(key)?.current === current && flights.get(key)?.next === undefined) flights.delete(key);
    });
    flights.set(key, { current });
    return current;
  }

  function awaitRepair(ref: WorkspaceRef): Promise<void> {
    const flight = flights.get(ref.workspaceId);
    if (!flight) return start(ref);
    // The running repair may have read the provider's state before the change the caller is waiting for.
    flight.next ??= flight.current.then(() => start(ref));
    return flight.next;
  }

  function startNext(): void {
    for (const [key, ref] of waiting) {
      if (deferred >= deferredAtOnce) return;
      waiting.delete(key);
      if (flights.has(key)) continue;
      deferred++;
      void start(ref).finally(() => {
        deferred--;
        startNext();
      });
    }
  }

  return {
    awaitRepair,
    deferRepair(ref) {
      const key = ref.workspaceId;
      const last = startedAt.get(key);
      if (flights.has(key) || waiting.size >= MAX_WAITING || (last !== undefined && nowMs() - last < minIntervalMs))
        return;
      waiting.set(key, ref);
      // Deferred, so that the caller's response does not wait for it.
      setImmediate(startNext);
    },
    async idle() {
      while (waiting.size > 0 || flights.size > 0) {
        if (flights.size > 0) await Promise.all([...flights.values()].map(({ current, next }) => next ?? current));
        else await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}
