// Opening the database when it may not be up yet. A database that restarts or boots beside us is back within
// seconds, and a process that exits meanwhile would run into its supervisor's own back-off and be late; so it
// waits here and says so. It does not wait for ever, nor at all for what waiting cannot fix (a wrong password,
// a database that does not exist): those end the process, where a supervisor and its operator see them.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../base/config.ts';
import type { Log } from '../base/log.ts';
import type { Database } from './database.ts';
import { openStorage } from './open-storage.ts';
import { findStorageFault, reasonOf } from '../timing/database-fault.ts';

const PATIENCE_MS = 120_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

export interface Patience {
  readonly stopping: AbortSignal;
  readonly patienceMs?: number;
}

export async function waitForStorage(
  config: Config,
  part: string,
  log: Log,
  { stopping, patienceMs = PATIENCE_MS }: Patience,
): Promise<Database> {
  const deadline = Date.now() + patienceMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await abandonable(openStorage(config, part, log), stopping);
    } catch (error) {
      stopping.throwIfAborted();
      if (findStorageFault(error) === undefined || Date.now() + pauseMs > deadline) throw error;
      log.warn({ reason: reasonOf(error), againInMs: pauseMs }, 'the database does not answer yet');
      await sleep(pauseMs, undefined, { signal: stopping });
    }
  }
}

/** Rejects at once when told to stop; a database that opens after that is closed again. */
async function abandonable(opening: Promise<Database>, stopping: AbortSignal): Promise<Database> {
  stopping.throwIfAborted();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = (): void => {
    reject(stopping.reason);
    opening.then(
      (db) => db.close(),
      () => {},
    );
  };
  stopping.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([opening, stopped]);
  } finally {
    stopping.removeEventListener('abort', stop);
  }
}
