// The scope that a token needs for a route of the runtime. Every route declares one, and the server checks it before it
// reads anything else of the request.
import { type AnyContractProcedure, oc } from '@orpc/contract';
import type { RouteCost, RouteMeta } from './route-cost.ts';
import type { Scope } from './tokens.ts';

export interface ScopedRouteMeta extends RouteMeta {
  readonly scope: Scope | 'any';
}

/** Starts a route of the runtime that accepts only tokens with this scope; `any` accepts every token. */
export const needsScope = (scope: ScopedRouteMeta['scope'], cost: RouteCost) =>
  oc.$meta<ScopedRouteMeta>({ cost, scope });

interface ScopedRoute extends AnyContractProcedure {
  readonly '~orpc': AnyContractProcedure['~orpc'] & { readonly meta: ScopedRouteMeta };
}

/** A contract in which every route declares its scope and cost; a route without them is a type error. */
export interface ScopedRoutes {
  readonly [name: string]: ScopedRoute | ScopedRoutes;
}
