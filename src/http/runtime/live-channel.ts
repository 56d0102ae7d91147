// WebSocket /factory/live: changes to the runs in the caller's workspaces, as they happen. Each message carries a
// `cursor`; a client that reconnects with it as `?after=` gets everything since, possibly with repeats, which it can
// recognize by their index.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { ANSWER_HEADERS } from '../../net/answer-headers.ts';
import type { RequestHeaders } from '../../net/authorization.ts';
import { AppError, errorBody } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { reportFailure } from '../../telemetry/report-failure.ts';
import { findPlace } from '../../runs/reading/read-changes.ts';
import type { Database } from '../../store/database.ts';
import type { Listener } from '../../store/listen.ts';
import type { Caller } from '../../tenancy/tokens/find-caller.ts';
import { type Every, every } from '../../timing/every.ts';
import { requireScope } from '../shell/authenticate-token.ts';
import { retryAfterOf } from '../shell/write-error.ts';
import { requestIdOf } from '../shell/raw-route.ts';
import { authorityOf, type OpenStreams } from '../shell/streams/open-streams.ts';
import { createLiveChanges } from './live-changes.ts';

export interface LiveDeps {
  readonly db: Database;
  readonly listener: Listener;
  readonly streams: OpenStreams;
  readonly authenticate: (headers: RequestHeaders) => Promise<Caller>;
  readonly log: Log;
}

export interface LiveChannel {
  close(): Promise<void>;
}

const PATH = '/factory/live';
const PING_EVERY_MS = 10_000;
const CLOSED_POLICY = 1008;
const CLOSED_RESTART = 1012;

export function mountLiveChannel(server: Server, deps: LiveDeps): LiveChannel {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 4_096, perMessageDeflate: false });
  const changes = createLiveChanges(deps);
  const pings = pingAll(sockets, deps.log);
  let stopping = false;

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://runtime');
    if (url.pathname !== PATH) throw new AppError('not_found');
    const token = url.searchParams.get('token');
    const caller = await deps.authenticate(token === null ? request.headers : { authorization: `Bearer ${token}` });
    requireScope(caller, 'jobs:read');
    const { membership } = caller;
    if (!membership?.isWorkspaceMember) throw new AppError('workspace_membership_required');
    // Read before the channel is open: once it is, its client misses nothing.
    const since = await findPlace(deps.db, url.searchParams.get('after'));
    if (socket.destroyed) return;

    const seat = deps.streams.open('live', authorityOf(caller, membership.workspaceId), socket);
    sockets.handleUpgrade(request, socket, head, (channel) => {
      sockets.emit('connection', channel, request);
      channel.on('error', () => channel.terminate());
      seat.signal.addEventListener(
        'abort',
        () => channel.close(stopping ? CLOSED_RESTART : CLOSED_POLICY, stopping ? 'restarting' : 'no longer allowed'),
        { once: true },
      );
      const { organizationId } = membership;
      const who = { userId: caller.userId, organizationId, workspaceId: caller.workspaceId };
      void changes.send({ who, seat, channel, since });
    });
  }

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy());
    upgrade(request, socket, head).catch((error: unknown) => {
      const requestId = requestIdOf(request.headers['x-request-id']);
      reportFailure(deps.log, error, {}, { requestId, method: 'GET', route: PATH });
      refuse(socket, error, requestId);
    });
  };
  server.on('upgrade', onUpgrade);
  return {
    async close() {
      stopping = true;
      server.off('upgrade', onUpgrade);
      void pings.stop();
      changes.close();
      for (const channel of sockets.clients) channel.close(CLOSED_RESTART);
      await sleep(20);
      for (const channel of sockets.clients) channel.terminate();
    },
  };
}

/** A channel that has not answered one ping by the next is closed. */
function pingAll(sockets: WebSocketServer, log: Log): Every {
  const silent = new WeakSet<WebSocket>();
  sockets.on('connection', (channel: WebSocket) => channel.on('pong', () => silent.delete(channel)));
  const ping = (): void => {
    for (const channel of sockets.clients) {
      if (silent.has(channel)) channel.terminate();
      silent.add(channel);
      channel.ping();
    }
  };
  return every({ everyMs: PING_EVERY_MS, task: 'ping live channels', log, run: ping });
}

function refuse(socket: Duplex, error: unknown, requestId: string): void {
  const { status, body } = errorBody(error);
  const text = JSON.stringify(body);
  const headers = {
    ...ANSWER_HEADERS,
    'x-request-id': requestId,
    'content-type': 'application/json',
    'cache-control': 'no-store',
    connection: 'close',
    'content-length': Buffer.byteLength(text),
    ...retryAfterOf(body),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${status} ${body.error === 'not_found' ? 'Not Found' : 'Refused'}\r\n${lines.join('')}\r\n${text}`,
  );
}
