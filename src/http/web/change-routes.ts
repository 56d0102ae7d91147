// GET /api/changes?organization=: tells an open page where something changed, so that it reads again. One stream a
// tab. Who may listen is asked at the start, whenever people are moved, and at every quiet moment; who may no longer
// is cut off. A client that is slow is waited for, and what piles up meanwhile becomes "read everything again".
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Alarm, createAlarm } from '../../base/alarm.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { id } from '../../contract/common.ts';
import type { Listener } from '../../store/listen.ts';
import { findViewer, type Viewer } from '../../tenancy/find-viewer.ts';
import { createChangeHub, type ChangeHub } from './change-hub.ts';
import { createChangeQueue } from './change-queue.ts';
import type { RawRoute } from '../raw-route.ts';
import { authenticateRaw, drained, refuseRaw, type SessionDeps } from './raw-session.ts';
import { securityHeaders } from './security-headers.ts';

export interface ChangeRouteDeps extends SessionDeps {
  readonly log: Log;
  readonly listener: Listener;
}

export interface ChangeRoutes extends RawRoute {
  /** Ends every stream. */
  close(): void;
}

const QUIET_MS = 15_000;
/** Changes of one moment are told together. */
const GATHER_MS = 50;
const MOST_STREAMS = 5_000;
/** More than anybody looks at; of more, the oldest ends. */
const MOST_OF_ONE = 16;
/** An event of its own, because a page sees no comments: it tells a quiet stream from a dead one. */
const ALIVE = 'event: alive\ndata: {}\n\n';
const AGAIN_AFTER_MS = 1_000;
const HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

export function changeRoutes(deps: ChangeRouteDeps): ChangeRoutes {
  const headers = Object.entries(securityHeaders(deps.settings.publicUrl));
  const hub = createChangeHub(deps);
  const streams: Streams = { all: new Set(), add: (stream) => addStream(streams.all, stream) };
  return {
    matches: (method, path) => method === 'GET' && path === '/api/changes',
    handle(request, response) {
      for (const [name, value] of headers) response.setHeader(name, value);
      follow(deps, hub, streams, request, response).catch((error: unknown) => refuseRaw(deps.log, request, response, error));
    },
    close() {
      hub.close();
      for (const { end } of streams.all) end();
    },
  };
}

interface Stream {
  readonly userId: string;
  end(): void;
}

interface Streams {
  readonly all: Set<Stream>;
  add(stream: Stream): () => void;
}

function addStream(all: Set<Stream>, stream: Stream): () => void {
  const own = [...all].filter(({ userId }) => userId === stream.userId);
  if (own.length >= MOST_OF_ONE) own[0]?.end();
  all.add(stream);
  return () => void all.delete(stream);
}

async function follow(deps: ChangeRouteDeps, hub: ChangeHub, streams: Streams, request: IncomingMessage, response: ServerResponse): Promise<void> {
  await authenticateRaw(deps, request);
  const asked = id.safeParse(new URL(request.url ?? '/', 'http://localhost').searchParams.get('organization'));
  if (!asked.success) throw new AppError('invalid_request', { organization: 'is required' });
  if (streams.all.size >= MOST_STREAMS) throw new AppError('unavailable');
  const look = async (): Promise<Viewer> => {
    const viewer = await findViewer(deps.db, { userId: await authenticateRaw(deps, request), organization: asked.data });
    if (!viewer) throw new AppError('not_found');
    return viewer;
  };
  const viewer = await look();

  const left = new AbortController();
  const alarm = createAlarm();
  left.signal.addEventListener('abort', () => alarm.ring(), { once: true });
  response.once('close', () => left.abort());
  const forget = streams.add({ userId: viewer.userId, end: () => left.abort() });
  try {
    await tell(hub, response, { look, alarm, signal: left.signal }, viewer);
  } catch (error) {
    // The headers have gone out: whoever may no longer listen just sees the stream end, and asks again.
    if (!(error instanceof AppError)) deps.log.warn({ err: error }, 'a stream of changes ended');
  } finally {
    forget();
    response.end();
  }
}

interface Telling {
  /** The viewer as of now; throws once they may no longer listen. */
  readonly look: () => Promise<Viewer>;
  readonly alarm: Alarm;
  readonly signal: AbortSignal;
}

async function tell(hub: ChangeHub, response: ServerResponse, { look, alarm, signal }: Telling, first: Viewer): Promise<void> {
  const queue = createChangeQueue();
  let viewer = first;
  // What moved before the hub was joined was not heard.
  let moved = true;
  const leave = hub.join(viewer.organizationId, {
    changed: (notice) => (queue.add(notice), alarm.ring()),
    moved: () => ((moved = true), alarm.ring()),
    missed: () => ((moved = true), queue.addMissed(), alarm.ring()),
  });
  response.writeHead(200, HEADERS);
  response.write(`retry: ${AGAIN_AFTER_MS}\n\n`);
  try {
    while (!signal.aborted) {
      if (moved) {
        moved = false;
        const now = await look();
        // What somebody no longer sees, or sees anew, is in no notice that they may hear.
        if (standsElsewhere(viewer, now)) queue.add({ table: 'workspace', organization: now.organizationId });
        viewer = now;
      }
      const changes = queue.take(viewer);
      if (changes.length > 0 && !response.write(`data: ${JSON.stringify({ changes })}\n\n`)) await drained(response);
      if (await alarm.wait(QUIET_MS)) await sleep(GATHER_MS);
      else {
        moved = true;
        response.write(ALIVE);
      }
    }
  } finally {
    leave();
  }
}

function standsElsewhere(before: Viewer, now: Viewer): boolean {
  return before.role !== now.role || differ(before.sees, now.sees) || differ(before.isIn, now.isIn);
}

function differ(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size !== b.size || [...a].some((each) => !b.has(each));
}
