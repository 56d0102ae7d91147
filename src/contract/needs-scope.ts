// Which scope a token needs for a route of the runtime. Every route says so where it is declared, and the server asks
// for it before it reads anything of the request.
import { type AnyContractProcedure, oc } from '@orpc/contract';
import type { RouteCost, RouteMeta } from './route-cost.ts';
import type { Scope } from './tokens.ts';

export interface ScopedRouteMeta extends RouteMeta {
  readonly scope: Scope;
}

/** Begins a route of the runtime that takes tokens of this scope only. */
export const needsScope = (scope: Scope, cost: RouteCost) => oc.$meta<ScopedRouteMeta>({ cost, scope });

interface ScopedRoute extends AnyContractProcedure {
  readonly '~orpc': AnyContractProcedure['~orpc'] & { readonly meta: ScopedRouteMeta };
}

/** A contract whose every route says which scope it needs and what it costs: one that does not is a type error. */
export interface ScopedRoutes {
  readonly [name: string]: ScopedRoute | ScopedRoutes;
}
