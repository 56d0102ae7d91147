// What a request to a route costs the process that answers it. Every route says so where it is declared; the gate of
// the server (src/http/shell/gate.ts) has a limit, a number at once and a queue for each kind of cost.

/** `cheap`: memory alone. `database`: a few statements. `hashing`: a password. `cpu`: the processor. `stream`: an answer without an end of its own. `provider`: waiting for an outside party. */
export const ROUTE_COSTS = ['cheap', 'database', 'hashing', 'cpu', 'stream', 'provider'] as const;
export type RouteCost = (typeof ROUTE_COSTS)[number];

export interface RouteMeta {
  readonly cost: RouteCost;
}
