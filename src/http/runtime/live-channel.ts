// WebSocket /factory/live: changes of the runs in the caller's workspaces, as they happen. Each message carries
// `cursor`; who comes back with it as `?after=` gets what happened since, some of it perhaps twice: an index tells.
// A slow reader is waited for, and who stops being a member hears no more.
import type { IncomingMessage, Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { AppError, errorBody } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { type Change, findMoment, readMoment, walkChanges } from '../../jobs/read-changes.ts';
import { listReaderWorkspaces } from '../../jobs/list-reader-workspaces.ts';
import { type Told, tellJob } from '../../jobs/tell-job.ts';
import { APPENDED_TOPIC } from '../../receipts/announce-appends.ts';
import type { Database } from '../../store/database.ts';
import type { Listener } from '../../store/listen.ts';
import type { Caller } from '../../tenancy/find-caller.ts';
import { type RequestHeaders, requireScope } from '../authenticate-token.ts';

export interface LiveDeps {
  readonly db: Database;
  readonly listener: Listener;
  readonly authenticate: (headers: RequestHeaders) => Promise<Caller>;
  readonly log: Log;
}

export interface LiveChannel {
  close(): Promise<void>;
}

const PATH = '/factory/live';
const CHANNELS_MAX = 5_000;
const LOOK_EVERY_MS = 10_000;
const GATHER_MS = 50;
const BUFFERED_MAX_BYTES = 1024 * 1024;
const STALLED_MS = 60_000;
const SENT_MAX = 2_000;
const CLOSED_POLICY = 1008;
const CLOSED_RESTART = 1012;

export function mountLiveChannel(server: Server, deps: LiveDeps): LiveChannel {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 4_096, perMessageDeflate: false });
  const wakes = new Set<(stream: string | undefined) => void>();
  const stopping = new AbortController();
  const unsubscribe = [
    deps.listener.subscribe(APPENDED_TOPIC, (heard) => {
      if (heard.missed || heard.value.startsWith('jobs/')) for (const wake of wakes) wake(undefined);
    }),
    deps.listener.subscribe('tenancy', (heard) => {
      for (const wake of wakes) wake(heard.missed ? '' : heard.value);
    }),
  ];

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://runtime');
    if (url.pathname !== PATH) return refuse(socket, new AppError('not_found'));
    if (sockets.clients.size >= CHANNELS_MAX) return refuse(socket, new AppError('unavailable'));
    const authenticate = async (): Promise<Caller> => {
      const token = url.searchParams.get('token');
      const caller = await deps.authenticate(token === null ? request.headers : { authorization: `Bearer ${token}` });
      requireScope(caller, 'jobs:read');
      if (!caller.standing?.isWorkspaceMember) throw new AppError('workspace_membership_required');
      return caller;
    };
    try {
      await authenticate();
    } catch (error) {
      return refuse(socket, error);
    }
    sockets.handleUpgrade(request, socket, head, (channel) => {
      follow({ ...deps, wakes, stopping: stopping.signal }, channel, authenticate, readMoment(url.searchParams.get('after'))).catch((error: unknown) => {
        if (!(error instanceof AppError)) deps.log.warn({ err: error }, 'a live channel failed');
        channel.close(error instanceof AppError ? CLOSED_POLICY : CLOSED_RESTART);
      });
    });
  }

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy());
    upgrade(request, socket, head).catch((error: unknown) => refuse(socket, error));
  };
  server.on('upgrade', onUpgrade);
  return {
    async close() {
      server.off('upgrade', onUpgrade);
      stopping.abort();
      for (const stop of unsubscribe) stop();
      for (const channel of sockets.clients) channel.close(CLOSED_RESTART);
      await sleep(20);
      for (const channel of sockets.clients) channel.terminate();
    },
  };
}

interface Following extends LiveDeps {
  readonly wakes: Set<(organization: string | undefined) => void>;
  readonly stopping: AbortSignal;
}

async function follow({ db, wakes, stopping }: Following, channel: WebSocket, authenticate: () => Promise<Caller>, after: string | undefined): Promise<void> {
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, stopping]);
  let answered = true;
  let changed = true;
  let wake = (): void => {};
  channel.on('close', () => gone.abort());
  channel.on('error', () => gone.abort());
  channel.on('pong', () => (answered = true));
  signal.addEventListener('abort', () => wake(), { once: true });

  const now = await findMoment(db);
  // A moment from the future was given by another database.
  let cursor = after !== undefined && BigInt(after) <= BigInt(now) ? after : now;
  const sent = new Map<string, Told>();
  let workspaces: readonly string[] = [];
  let checkedAt = -Infinity;
  const heard = (): void => {
    changed = true;
    wake();
  };
  const hear = (organization: string | undefined): void => {
    if (organization !== undefined) checkedAt = -Infinity;
    heard();
  };
  wakes.add(hear);
  try {
    while (!signal.aborted) {
      await checkReader();
      changed = false;
      cursor = await sendChanges(cursor);
      if (changed) {
        await sleep(GATHER_MS);
        continue;
      }
      if ((await quiet()) && !signal.aborted) {
        if (!answered) return channel.terminate();
        answered = false;
        channel.ping();
      } else await sleep(GATHER_MS);
    }
  } finally {
    wakes.delete(hear);
  }

  async function checkReader(): Promise<void> {
    if (performance.now() - checkedAt <= LOOK_EVERY_MS) return;
    checkedAt = performance.now();
    workspaces = await listReaderWorkspaces(db, await authenticate());
  }

  /** Everything that has changed since a moment; returns the one to go on from. */
  async function sendChanges(since: string): Promise<string> {
    const changes = walkChanges(db, workspaces, since);
    for (let at = await changes.next(); ; at = await changes.next()) {
      if (at.done) return at.value;
      if (signal.aborted) return since;
      await checkReader();
      if (workspaces.includes(at.value.job.workspaceId ?? '')) await sendJob(at.value);
    }
  }

  async function sendJob({ job, cursor: moment }: Change): Promise<void> {
    const messages = tellJob(db, job, sent.get(job.id));
    let at = await messages.next();
    for (; !at.done && !signal.aborted; at = await messages.next()) await send({ ...at.value, cursor: moment });
    if (!at.done) return;
    sent.delete(job.id);
    sent.set(job.id, at.value);
    if (sent.size > SENT_MAX) for (const oldest of sent.keys()) if (sent.delete(oldest)) break;
  }

  async function send(message: Record<string, unknown>): Promise<void> {
    const deadline = performance.now() + STALLED_MS;
    while (channel.bufferedAmount > BUFFERED_MAX_BYTES && !signal.aborted) {
      if (performance.now() > deadline) return channel.terminate();
      await sleep(GATHER_MS);
    }
    if (!signal.aborted) channel.send(JSON.stringify(message));
  }

  function quiet(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(true), LOOK_EVERY_MS);
      wake = () => {
        clearTimeout(timer);
        resolve(false);
      };
      if (changed || signal.aborted) wake();
    });
  }
}

function refuse(socket: Duplex, error: unknown): void {
  const { status, body } = errorBody(error);
  const text = JSON.stringify(body);
  socket.end(`HTTP/1.1 ${status} ${body.error === 'not_found' ? 'Not Found' : 'Refused'}\r\ncontent-type: application/json\r\ncache-control: no-store\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}
