import { type AnyRouter, type Context, traverseContractProcedures } from '@orpc/server';
import type { Hono } from 'hono';
import type { Log } from '../../base/log.ts';
import { noteRequest } from '../../base/request-scope.ts';
import type { ScopedRouteMeta } from '../../contract/needs-scope.ts';
import type { Caller } from '../../tenancy/find-caller.ts';
import { requireScope } from '../shell/authenticate-token.ts';
import type { Gate } from '../shell/gate.ts';
import { noteRoute } from '../shell/plain-routes.ts';
import { routePattern } from '../shell/route-pattern.ts';
import { mountRpc } from '../shell/rpc.ts';

/** Authenticates the caller before the rest of the request is read. */
export type ContextOf = (request: Request) => Promise<{ readonly caller: Caller }>;

/**
 * Mounts a part of the contract route by route, so that metrics and traces have the pattern of each route, and a path
 * without a route stays unknown.
 */
export function mountContract(
  app: Hono,
  router: AnyRouter,
  contextOf: ContextOf,
  { log, gate }: { readonly log: Log; readonly gate: Gate },
): void {
  const rpc = mountRpc<Context>(router, log, { gate });
  traverseContractProcedures({ router, path: [] }, ({ contract }) => {
    const { route, meta } = contract['~orpc'];
    const { method = 'POST', path } = route;
    const { scope, cost } = meta as ScopedRouteMeta;
    if (path === undefined) throw new Error('a route of the contract has no path');
    const pattern = routePattern(path);
    noteRoute(app, { method, path: pattern, cost });
    app.on(method, pattern, async (c) => {
      noteRequest({ route: pattern });
      const context = await contextOf(c.req.raw);
      requireScope(context.caller, scope);
      return (await rpc.handle(c.req.raw, context, context.caller.userId)) ?? c.notFound();
    });
  });
}
