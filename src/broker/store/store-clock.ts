// The database's time, the one clock of all replicas. It is read now and then, and extrapolated with this process's clock
// in between.
import type { Queryable } from '../../store/database.ts';

export interface StoreClock {
  now(): Promise<number>;
  /** Called with a time that was just read from the database. */
  set(now: number): void;
  /** A time that stands still, for tests that step through it. */
  readonly fixed?: number;
}

const ASK_EVERY_MS = 2_000;
const NOW = 'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now';

export function createStoreClock(on: Queryable): StoreClock {
  let offset = 0;
  let askedAt = -Infinity;

  function set(now: number): void {
    askedAt = performance.now();
    offset = now - askedAt;
  }

  return {
    set,
    async now() {
      if (performance.now() - askedAt > ASK_EVERY_MS) {
        const { rows } = await on.query<{ now: number }>(NOW);
        if (rows[0]) set(rows[0].now);
      }
      return Math.floor(performance.now() + offset);
    },
  };
}
