// Opens a database that may not be up yet. One that restarts or boots alongside is back within seconds, and a process that
// exited in the meantime would be delayed by its supervisor's back-off; so it waits here and logs that. It does not wait
// for ever, and not at all for what waiting cannot fix (a wrong password, a missing database): those end the process as
// an invalid configuration does, because a restart cannot fix them either.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, ConfigError } from '../base/config.ts';
import type { Log } from '../telemetry/log.ts';
import type { Database } from './database.ts';
import { openStorage } from './open-storage.ts';
import { findRefusal } from './refused-storage.ts';
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
      const refusal = findRefusal(error);
      if (refusal) throw new ConfigError(`${refusal.what}. ${refusal.fix}`, { cause: error });
      if (findStorageFault(error) === undefined || Date.now() + pauseMs > deadline) throw error;
      log.warn({ reason: reasonOf(error), againInMs: pauseMs }, 'the database does not respond yet');
      await sleep(pauseMs, undefined, { signal: stopping });
    }
  }
}

/** Rejects at once on the stop signal; a database that opens after that is closed again. */
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
