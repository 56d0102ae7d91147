// What a request to a route costs the process that answers it. Every route declares it; admission
// (src/http/shell/admission) has a rate limit, a concurrency limit and a queue for each kind of cost.

/**
 * `cheap`: memory only. `database`: a few statements. `hashing`: a password. `cpu`: computation. `stream`: an
 * open-ended answer. `provider`: waiting for an outside party.
 */
export const ROUTE_COSTS = ['cheap', 'database', 'hashing', 'cpu', 'stream', 'provider'] as const;
export type RouteCost = (typeof ROUTE_COSTS)[number];

export interface RouteMeta {
  readonly cost: RouteCost;
}
