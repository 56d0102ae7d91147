// The list of connections as an event stream: one event with the whole list at first and after every change.
import type { Hono } from 'hono';
import { AppError } from '../../base/errors.ts';
import type { ConnectionDeps } from '../../connections/connection-deps.ts';
import { listConnections } from '../../connections/find-connection.ts';
import { presentConnection } from '../../connections/present-connection.ts';
import { watchConnections } from '../../connections/watch-connections.ts';
import type { Listener } from '../../store/listen.ts';
import { type Caller, findCallerStanding } from '../../tenancy/find-caller.ts';
import { eventStream, type ServerEvent, wantsEventStream } from '../event-stream.ts';
import { authorityOf, type OpenStreams, responseOf } from '../streams/open-streams.ts';
import { requireConnectScope } from './connect-scope.ts';

export interface ConnectionStreamDeps extends ConnectionDeps {
  readonly listener: Listener;
  readonly streams: OpenStreams;
  readonly authenticate: (request: Request) => Promise<Caller>;
}

const LOOK_EVERY_MS = 15_000;

export function mountConnectionStream(app: Hono, { db, clock, listener, streams, authenticate }: ConnectionStreamDeps): void {
  app.get('/connect/connections', async (c, next) => {
    const request = c.req.raw;
    if (!wantsEventStream(request)) return next();
    const caller = await authenticate(request);
    requireConnectScope(caller, 'connect:read');
    const standing = await findCallerStanding(db, caller, c.req.query('workspace'));
    if (!standing?.isWorkspaceMember) throw new AppError('workspace_membership_required');
    const seat = streams.open('connections', authorityOf(caller, standing.workspaceId), responseOf(c));
    const look = () => listConnections(db, standing, clock());
    return eventStream(seat, toEvents(watchConnections({ listener, scope: standing, look, ...seat, lookEveryMs: LOOK_EVERY_MS })));
  });
}

async function* toEvents(watch: ReturnType<typeof watchConnections>): AsyncGenerator<ServerEvent | undefined> {
  for await (const connections of watch) yield connections && { event: 'connections', data: JSON.stringify({ connections: connections.map(presentConnection) }) };
}
