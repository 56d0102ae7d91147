// Logs a storage fault once, not once per failing statement, and logs again when it has not occurred for a while. The error
// is marked as temporary, so that callers are told to try again.
import { markPassing } from '../base/errors.ts';
import type { Log } from '../telemetry/log.ts';
import { findStorageFault, reasonOf, type StorageFault } from '../timing/database-fault.ts';

const OVER_AFTER_MS = 30_000;

const WORDS = {
  away: 'the database cannot be reached; work that needs it waits or is refused until it responds',
  full: 'the database has no space left on its disk; work that writes waits or is refused until there is space',
  busy: 'the database is out of connections, memory or time; work that needs it waits or is refused',
} as const satisfies Record<StorageFault, string>;

export function createFaultLogger(log: Log, overAfterMs = OVER_AFTER_MS): (error: unknown) => void {
  const logged = new Map<StorageFault, NodeJS.Timeout>();
  return (error) => {
    const fault = findStorageFault(error);
    if (fault === undefined) return;
    markPassing(error);
    const over = logged.get(fault);
    if (over) return void over.refresh();
    log.warn({ fault, reason: reasonOf(error) }, WORDS[fault]);
    const end = (): void => {
      logged.delete(fault);
      log.info({ fault }, 'database connection restored');
    };
    logged.set(fault, setTimeout(end, overAfterMs).unref());
  };
}
