// The list of connections as an event stream: one event with the whole list at first and after every change.
import type { Hono } from 'hono';
import { AppError } from '../../base/errors.ts';
import type { ConnectionDeps } from '../../connections/connection-deps.ts';
import type { Connection } from '../../connections/connection-types.ts';
import { listConnections } from '../../connections/find-connection.ts';
import { presentConnection } from '../../connections/present-connection.ts';
import { watchConnections } from '../../connections/watch-connections.ts';
import type { Listener } from '../../store/listen.ts';
import { type Caller, findCallerStanding } from '../../tenancy/find-caller.ts';
import type { Standing } from '../../tenancy/standing.ts';
import { eventStream, type ServerEvent, wantsEventStream } from '../event-stream.ts';
import { requireConnectScope } from './connect-scope.ts';

export interface ConnectionStreamDeps extends ConnectionDeps {
  readonly listener: Listener;
  readonly authenticate: (request: Request) => Promise<Caller>;
}

const LOOK_EVERY_MS = 15_000;

export function mountConnectionStream(app: Hono, { db, clock, listener, authenticate }: ConnectionStreamDeps): void {
  app.get('/connect/connections', async (c, next) => {
    const request = c.req.raw;
    if (!wantsEventStream(request)) return next();
    /** The token, its scope and the membership, as they are at this moment. */
    const getMember = async (): Promise<Standing> => {
      const caller = await authenticate(request);
      requireConnectScope(caller, 'connect:read');
      const standing = await findCallerStanding(db, caller, c.req.query('workspace'));
      if (!standing?.isWorkspaceMember) throw new AppError('workspace_membership_required');
      return standing;
    };
    const scope = await getMember();
    const look = async (): Promise<Connection[] | undefined> => {
      const standing = await getMember().catch((error: unknown) => {
        if (error instanceof AppError) return undefined;
        throw error;
      });
      return standing && listConnections(db, standing, clock());
    };
    return eventStream(toEvents(watchConnections({ listener, scope, look, signal: request.signal, lookEveryMs: LOOK_EVERY_MS })));
  });
}

async function* toEvents(watch: ReturnType<typeof watchConnections>): AsyncGenerator<ServerEvent | undefined> {
  for await (const connections of watch) yield connections && { event: 'connections', data: JSON.stringify({ connections: connections.map(presentConnection) }) };
}
