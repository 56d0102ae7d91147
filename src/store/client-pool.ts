// Hands connections straight from one statement to the next. The pool itself sets and clears two timers and moves listeners
// at every checkout, which costs half as much as a short statement. So a connection that was just used stays here for the
// next caller, and goes back to the pool, which tracks age and idleness, every second.
import pg from 'pg';
import type { Log } from '../telemetry/log.ts';
import { findStorageFault } from '../timing/database-fault.ts';

export interface ClientPool {
  take(): Promise<pg.PoolClient>;
  /** `error` is the failure of the statement, if it failed: a connection that may be broken is not used again. */
  giveBack(client: pg.PoolClient, error?: unknown): void;
  close(): Promise<void>;
}

const WARM_MS = 1_000;

export function createClientPool(config: pg.PoolConfig, log: Log): ClientPool {
  const pool = new pg.Pool(config);
  const warm: pg.PoolClient[] = [];
  const broken = new WeakSet<pg.PoolClient>();
  let cooling: NodeJS.Timeout | undefined;
  let closing = false;

  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'));
  // A connection that is lost while in use reports it twice: its statement fails, and it emits.
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      broken.add(client);
      const at = warm.indexOf(client);
      if (at < 0) return;
      warm.splice(at, 1);
      client.release(error);
      log.warn({ err: error }, 'idle database connection lost');
    });
  });

  function cool(): void {
    clearTimeout(cooling);
    cooling = undefined;
    for (const client of warm.splice(0)) client.release();
  }

  return {
    take: async () => warm.pop() ?? pool.connect(),
    giveBack(client, error) {
      if (broken.has(client) || (error !== undefined && !isRefusal(error))) return client.release(true);
      // A caller is waiting at the pool.
      if (closing || pool.waitingCount > 0) return client.release();
      warm.push(client);
      cooling ??= setTimeout(cool, WARM_MS).unref();
    },
    async close() {
      closing = true;
      cool();
      await pool.end();
    },
  };
}

/** The server refused the statement and the connection is fine. Not so for a server that has become a read-only replica. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR' && findStorageFault(error) !== 'away';
}
