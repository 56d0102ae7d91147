import { oc } from '@orpc/contract';
import type { Scope } from './tokens.ts';

export interface RouteMeta {
  readonly scope?: Scope;
}

/** Begins a route that takes tokens of this scope only. The server asks for it before it reads anything of the request. */
export const needsScope = (scope: Scope) => oc.$meta<RouteMeta>({ scope });
