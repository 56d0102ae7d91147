// What a request to a route costs the process that answers it. Every route says so where it is declared; the gate of
// the server (src/http/shell/gate.ts) has a limit, a number at once and a queue for each kind of cost.
import { type AnyContractProcedure, oc } from '@orpc/contract';

/** `cheap`: memory alone. `database`: a few statements. `hashing`: a password. `cpu`: the processor. `stream`: an answer without an end of its own. `provider`: waiting for an outside party. */
export const ROUTE_COSTS = ['cheap', 'database', 'hashing', 'cpu', 'stream', 'provider'] as const;
export type RouteCost = (typeof ROUTE_COSTS)[number];

export interface RouteMeta {
  readonly cost: RouteCost;
}

/** Begins a route of the contract. */
export const costs = (cost: RouteCost) => oc.$meta<RouteMeta>({ cost });

interface CostedRoute extends AnyContractProcedure {
  readonly '~orpc': AnyContractProcedure['~orpc'] & { readonly meta: RouteMeta };
}

/** A contract whose every route says what it costs: one that does not is a type error. */
export interface CostedRoutes {
  readonly [name: string]: CostedRoute | CostedRoutes;
}
