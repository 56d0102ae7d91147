// The list of connections as an event stream: one event with the whole list at the start and after every change.
import type { Context } from 'hono';
import { AppError } from '../../base/errors.ts';
import type { ConnectionDeps } from '../../connections/connection-deps.ts';
import { listConnections } from '../../connections/find-connection.ts';
import { presentConnection } from '../../connections/present-connection.ts';
import { watchConnections } from '../../connections/watch-connections.ts';
import type { Listener } from '../../store/listen.ts';
import { type Caller, findCallerMembership } from '../../tenancy/find-caller.ts';
import { eventStream, type ServerEvent, wantsEventStream } from '../shell/event-stream.ts';
import type { PlainRoutes } from '../shell/plain-routes.ts';
import { authorityOf, type OpenStreams, responseOf } from '../shell/streams/open-streams.ts';
import { requireScope } from '../shell/authenticate-token.ts';

export interface ConnectionStreamDeps extends ConnectionDeps {
  readonly listener: Listener;
  readonly streams: OpenStreams;
  readonly authenticate: (request: Request) => Promise<Caller>;
}

const LOOK_EVERY_MS = 15_000;

export function mountConnectionStream(
  routes: PlainRoutes,
  { db, clock, listener, streams, authenticate }: ConnectionStreamDeps,
): void {
  const identify = async (c: Context): Promise<Caller | undefined> => {
    if (!wantsEventStream(c.req.raw)) return undefined;
    const caller = await authenticate(c.req.raw);
    requireScope(caller, 'connect:read');
    return caller;
  };
  const watch = async (c: Context, caller: Caller): Promise<Response> => {
    const membership = await findCallerMembership(db, caller, c.req.query('workspace'));
    if (!membership?.isWorkspaceMember) throw new AppError('workspace_membership_required');
    const seat = streams.open('connections', authorityOf(caller, membership.workspaceId), responseOf(c));
    const look = () => listConnections(db, membership, clock());
    return eventStream(
      seat,
      toEvents(watchConnections({ listener, ref: membership, look, ...seat, lookEveryMs: LOOK_EVERY_MS })),
    );
  };
  routes.on({ method: 'GET', path: '/connect/connections', cost: 'stream', identify, handle: watch });
}

async function* toEvents(watch: ReturnType<typeof watchConnections>): AsyncGenerator<ServerEvent | undefined> {
  for await (const connections of watch)
    yield (
      connections && { event: 'connections', data: JSON.stringify({ connections: connections.map(presentConnection) }) }
    );
}
