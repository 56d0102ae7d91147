import { oc } from '@orpc/contract';
import type { RouteCost, RouteMeta } from './route-cost.ts';
import type { Scope } from './tokens.ts';

export interface ScopedRouteMeta extends RouteMeta {
  readonly scope?: Scope;
}

/** Begins a route that takes tokens of this scope only. The server asks for it before it reads anything of the request. */
export const needsScope = (scope: Scope, cost: RouteCost) => oc.$meta<ScopedRouteMeta>({ cost, scope });
