// GET /connect/connections/:id/tools: what can be called through a connection, and what is enabled.
import type { Context } from 'hono';
import { AppError } from '../../base/errors.ts';
import { findWorkspaceOf } from '../../connections/find-connection.ts';
import { type Caller, findCallerStanding } from '../../tenancy/find-caller.ts';
import { listConnectionTools } from '../../tools/list-connection-tools.ts';
import type { CallRouteDeps } from './call-routes.ts';
import type { PlainRoutes } from '../shell/plain-routes.ts';
import { requireConnectScope } from './connect-scope.ts';

type Deps = Omit<CallRouteDeps, 'log'>;

export function mountConnectionTools(routes: PlainRoutes, { db, authenticate, tools }: Deps): void {
  const identify = async (c: Context): Promise<Caller> => {
    const caller = await authenticate(c.req.raw);
    requireConnectScope(caller, 'connect:read');
    return caller;
  };
  const handle = async (c: Context, caller: Caller): Promise<Response> => {
    const selector = c.req.param('id') ?? '';
    // PostgreSQL's text holds no zero byte: such a name is nobody's, and no fault.
    if (selector.includes('\0')) throw new AppError('tool_not_found');
    const standing = await findCallerStanding(
      db,
      caller,
      c.req.query('workspace') ?? (await homeOf(db, caller, selector)),
    );
    const connection = standing?.isWorkspaceMember ? await tools.connections.find(standing, selector) : undefined;
    // The same answer for a connection of others as for one that never was, and as for a disabled action.
    if (!connection) throw new AppError('tool_not_found');
    return c.json({ tools: await listConnectionTools(tools, connection, c.req.raw.signal) }, 200, {
      'cache-control': 'no-store',
    });
  };
  // The tools of some connections are asked for at their provider.
  routes.on({ method: 'GET', path: '/connect/connections/:id/tools', cost: 'provider', identify, handle });
}

/** An id alone is looked for in the whole organization of a token that may roam it. */
function homeOf(db: Deps['db'], { workspaceId, organizationId }: Caller, id: string): Promise<string | undefined> {
  return workspaceId === undefined && organizationId !== undefined
    ? findWorkspaceOf(db, organizationId, id)
    : Promise.resolve(undefined);
}
