// What one person, or for strangers one address, may ask of one process, by what a route costs. These numbers keep a
// neighbour's requests quick: an honest person does not meet them, and every limit of the specification (requests of
// chat, of MCP, attempts at passwords) is asked besides. docs/operators/scaling.md prints this table.
import { availableParallelism } from 'node:os';
import type { RouteCost } from '../../contract/route-cost.ts';

export interface CostClass {
  /** Requests of one person; 0 where the route has a limit of its own. */
  readonly perMinute: number;
  /** Of one person, under way at once. */
  readonly atOnce: number;
  /** Of everybody, under way at once. */
  readonly places: number;
  /** Of one person, waiting for a place; one more is refused. */
  readonly waiting: number;
}

export const MOST_HASHES = 4;

export const COST_CLASSES = {
  cheap: { perMinute: 12_000, atOnce: 64, places: 1_000, waiting: 64 },
  // `atOnce` is for the smallest pool: costClasses() makes it half of the pool, so that one person never has all of it.
  database: { perMinute: 12_000, atOnce: 1, places: 64, waiting: 500 },
  // The dearest thing that a stranger can ask for: tens of milliseconds of a core and 32 MiB each. Half of the machine
  // at most does it, on threads beside the event loop: the other half answers everybody else.
  hashing: {
    perMinute: 600,
    atOnce: 2,
    places: Math.max(1, Math.min(MOST_HASHES, Math.floor(availableParallelism() / 2))),
    waiting: 64,
  },
  cpu: { perMinute: 600, atOnce: 1, places: 4, waiting: 64 },
  stream: { perMinute: 1_200, atOnce: 256, places: 10_000, waiting: 0 },
  provider: { perMinute: 0, atOnce: 1_000, places: 10_000, waiting: 0 },
} as const satisfies Record<RouteCost, CostClass>;

/** Of all who wait for one class. */
export const MOST_WAITING = 2_000;
/** Whoever has waited this long is refused: the client has mostly given up by then. */
export const WAIT_MS = 20_000;

/** The table for a process whose pool has so many connections. */
export function costClasses(poolMax: number): Readonly<Record<RouteCost, CostClass>> {
  return {
    ...COST_CLASSES,
    database: { ...COST_CLASSES.database, atOnce: Math.max(COST_CLASSES.database.atOnce, Math.floor(poolMax / 2)) },
  };
}
