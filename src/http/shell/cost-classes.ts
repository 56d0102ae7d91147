// What one person, or one address for strangers, may request from one process, by the cost of the route. These limits
// keep other people's requests fast: honest use does not reach them, and the limits for chat, MCP and password attempts
// apply in addition. docs/operators/scaling.md prints this table.
import { availableParallelism } from 'node:os';
import type { RouteCost } from '../../contract/route-cost.ts';

export interface CostClass {
  /** Requests of one person; 0 if the route has its own limit. */
  readonly perMinute: number;
  /** Concurrent requests of one person. */
  readonly atOnce: number;
  /** Concurrent requests of everyone. */
  readonly places: number;
  /** Waiting requests of one person; more are refused. */
  readonly waiting: number;
}

export const MAX_HASHES = 4;

export const COST_CLASSES = {
  cheap: { perMinute: 12_000, atOnce: 64, places: 1_000, waiting: 64 },
  // `atOnce` is for the smallest pool: costClasses() makes it half of the pool, so that one person never has all of it.
  database: { perMinute: 12_000, atOnce: 1, places: 64, waiting: 500 },
  // The most expensive thing that a stranger can request: tens of milliseconds of a core and 32 MiB each. At most half
  // of the cores do it, on threads beside the event loop; the other half serves everyone else.
  hashing: {
    perMinute: 600,
    atOnce: 2,
    places: Math.max(1, Math.min(MAX_HASHES, Math.floor(availableParallelism() / 2))),
    waiting: 64,
  },
  cpu: { perMinute: 600, atOnce: 1, places: 4, waiting: 64 },
  stream: { perMinute: 1_200, atOnce: 256, places: 10_000, waiting: 0 },
  provider: { perMinute: 0, atOnce: 1_000, places: 10_000, waiting: 0 },
} as const satisfies Record<RouteCost, CostClass>;

/** Waiting requests of everyone, per class. */
export const MAX_WAITING = 2_000;
/** Requests that have waited this long are refused: most clients have given up by then. */
export const WAIT_MS = 20_000;

/** The table for a process with a pool of this size. */
export function costClasses(poolMax: number): Readonly<Record<RouteCost, CostClass>> {
  return {
    ...COST_CLASSES,
    database: { ...COST_CLASSES.database, atOnce: Math.max(COST_CLASSES.database.atOnce, Math.floor(poolMax / 2)) },
  };
}
