// Says once that storage cannot do its work, and once more when nothing has met that fault for a while: every statement
// meets it, and none of them knows of the others. Whoever asked for the statement is told to try again.
import { markPassing } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { findStorageFault, reasonOf, type StorageFault } from '../timing/database-fault.ts';

const OVER_AFTER_MS = 30_000;

const WORDS = {
  away: 'the database cannot be reached; everything that needs it waits or is refused, and goes on by itself once it answers',
  full: 'the database has no room left on its disk; everything that writes waits or is refused, and goes on by itself once there is room',
  busy: 'the database has no connection, memory or time left; everything that needs it waits or is refused, and goes on by itself',
} as const satisfies Record<StorageFault, string>;

export function createFaultTeller(log: Log, overAfterMs = OVER_AFTER_MS): (error: unknown) => void {
  const told = new Map<StorageFault, NodeJS.Timeout>();
  return (error) => {
    const fault = findStorageFault(error);
    if (fault === undefined) return;
    markPassing(error);
    const over = told.get(fault);
    if (over) return void over.refresh();
    log.warn({ fault, reason: reasonOf(error) }, WORDS[fault]);
    const end = (): void => {
      told.delete(fault);
      log.info({ fault }, 'the database has done what it was asked for a while');
    };
    told.set(fault, setTimeout(end, overAfterMs).unref());
  };
}
