// The list of connections as an event stream: one event with the whole list at the start and after every change. Access
// is checked again before every list that is sent.
import type { Context } from 'hono';
import { AppError } from '../../base/errors.ts';
import type { ConnectionDeps } from '../../connections/connection-deps.ts';
import type { Connection } from '../../connections/connection-types.ts';
import { listConnections } from '../../connections/find-connection.ts';
import { CONNECTIONS_TOPIC } from '../../connections/notify-change.ts';
import { presentConnection } from '../../connections/present-connection.ts';
import type { Listener } from '../../store/listen.ts';
import { type Caller, findCallerMembership } from '../../tenancy/tokens/find-caller.ts';
import { follow } from '../../timing/follow.ts';
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
    const lists = follow({
      from: '',
      async readSince(known) {
        const connections = await listConnections(db, membership, clock());
        const cursor = fingerprintOf(connections);
        return { items: cursor === known ? [] : [connections], cursor };
      },
      subscribe: (notice) => listener.subscribe(CONNECTIONS_TOPIC, notice, membership.workspaceId),
      ...seat,
      lookEveryMs: LOOK_EVERY_MS,
    });
    return eventStream(seat, toEvents(lists));
  };
  routes.on({ method: 'GET', path: '/connect/connections', cost: 'stream', identify, handle: watch });
}

async function* toEvents(
  lists: AsyncIterable<readonly Connection[] | undefined>,
): AsyncGenerator<ServerEvent | undefined> {
  for await (const list of lists)
    yield list && { event: 'connections', data: JSON.stringify({ connections: list.map(presentConnection) }) };
}

function fingerprintOf(connections: readonly Connection[]): string {
  return JSON.stringify(
    connections.map(({ id, status, reason, updatedAt, policy }) => [id, status, reason, updatedAt, policy]),
  );
}
