// GET /connect/connections/:id/tools: the tools of a connection, and which are enabled.
import type { Context } from 'hono';
import { AppError } from '../../base/errors.ts';
import { findWorkspaceOf } from '../../connections/find-connection.ts';
import { type Caller, findCallerMembership } from '../../tenancy/tokens/find-caller.ts';
import { listConnectionTools } from '../../tools/list-connection-tools.ts';
import type { CallRouteDeps } from './call-routes.ts';
import type { PlainRoutes } from '../shell/plain-routes.ts';
import { requireScope } from '../shell/authenticate-token.ts';

type Deps = Omit<CallRouteDeps, 'log'>;

export function mountConnectionTools(routes: PlainRoutes, { db, authenticate, tools }: Deps): void {
  const identify = async (c: Context): Promise<Caller> => {
    const caller = await authenticate(c.req.raw);
    requireScope(caller, 'connect:read');
    return caller;
  };
  const handle = async (c: Context, caller: Caller): Promise<Response> => {
    const selector = c.req.param('id') ?? '';
    const membership = await findCallerMembership(
      db,
      caller,
      c.req.query('workspace') ?? (await homeOf(db, caller, selector)),
    );
    const connection = membership?.isWorkspaceMember ? await tools.connections.find(membership, selector) : undefined;
    // The same answer for someone else's connection as for one that never existed, and as for a disabled action.
    if (!connection) throw new AppError('tool_not_found');
    return c.json({ tools: await listConnectionTools(tools, connection, c.req.raw.signal) }, 200, {
      'cache-control': 'no-store',
    });
  };
  // The tools of some connections are listed by their provider.
  routes.on({ method: 'GET', path: '/connect/connections/:id/tools', cost: 'provider', identify, handle });
}

/** A token of the whole organization may name an id in any of its workspaces. */
function homeOf(db: Deps['db'], { workspaceId, organizationId }: Caller, id: string): Promise<string | undefined> {
  return workspaceId === undefined && organizationId !== undefined
    ? findWorkspaceOf(db, organizationId, id)
    : Promise.resolve(undefined);
}
