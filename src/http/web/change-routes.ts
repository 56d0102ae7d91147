// GET /api/changes?organization=: tells an open page where something changed, so that it reads again. One stream a
// tab. What somebody may hear of is read at the start and whenever people are moved; a stream ends with the session
// or the membership. A client that is slow is waited for, and what piles up meanwhile becomes "read everything again".
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAlarm } from '../../timing/alarm.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { noteRequest } from '../../base/request-scope.ts';
import { id } from '../../contract/common.ts';
import type { Database } from '../../store/database.ts';
import type { Listener } from '../../store/listen.ts';
import { findViewer, type Viewer } from '../../tenancy/find-viewer.ts';
import { createChangeHub, type ChangeHub } from './change-hub.ts';
import { createChangeQueue } from './change-queue.ts';
import type { RawRoute } from '../shell/raw-route.ts';
import { createEventWriter, EVENT_STREAM_HEADERS } from '../shell/event-stream.ts';
import type { OpenStreams, StreamSeat } from '../shell/streams/open-streams.ts';
import { refuseRaw } from '../shell/write-error.ts';
import { authenticateRaw, type SessionDeps } from './raw-session.ts';
import { securityHeaders } from './security-headers.ts';

export interface ChangeRouteDeps extends SessionDeps {
  readonly log: Log;
  readonly listener: Listener;
  readonly streams: OpenStreams;
}

export interface ChangeRoutes extends RawRoute {
  /** Hears no more. */
  close(): void;
}

const QUIET_MS = 15_000;
/** Changes of one moment are told together. */
const GATHER_MS = 50;
/** An event of its own, because a page sees no comments: it tells a quiet stream from a dead one. */
const ALIVE = 'event: alive\ndata: {}\n\n';
const AGAIN_AFTER_MS = 1_000;

export function changeRoutes(deps: ChangeRouteDeps): ChangeRoutes {
  const headers = Object.entries(securityHeaders(deps.settings.publicUrl));
  const hub = createChangeHub(deps);
  return {
    cost: 'stream',
    matches: (method, path) => method === 'GET' && path === '/api/changes',
    handle(request, response) {
      for (const [name, value] of headers) response.setHeader(name, value);
      noteRequest({ route: '/api/changes' });
      follow(deps, hub, request, response).catch((error: unknown) => refuseRaw(deps.log, request, response, error));
    },
    close: () => hub.close(),
  };
}

async function follow(
  deps: ChangeRouteDeps,
  hub: ChangeHub,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const person = await authenticateRaw(deps, request);
  const asked = id.safeParse(new URL(request.url ?? '/', 'http://localhost').searchParams.get('organization'));
  if (!asked.success) throw new AppError('invalid_request', { organization: 'is required' });
  const viewer = await getViewer(deps.db, person.userId, asked.data);
  const seat = deps.streams.open('changes', { ...person, organizationId: viewer.organizationId }, response);
  try {
    await tell(deps.db, hub, viewer, { response, seat });
  } catch (error) {
    // The headers have gone out: whoever may no longer listen just sees the stream end, and asks again.
    if (!(error instanceof AppError)) deps.log.warn({ err: error }, 'a stream of changes ended');
  } finally {
    response.end();
  }
}

async function getViewer(db: Database, userId: string, organization: string): Promise<Viewer> {
  const viewer = await findViewer(db, { userId, organization });
  if (!viewer) throw new AppError('not_found');
  return viewer;
}

async function tell(
  db: Database,
  hub: ChangeHub,
  first: Viewer,
  { response, seat: { signal, mayTell } }: { readonly response: ServerResponse; readonly seat: StreamSeat },
): Promise<void> {
  const alarm = createAlarm();
  signal.addEventListener('abort', () => alarm.ring(), { once: true });
  const queue = createChangeQueue();
  let viewer = first;
  // What moved before the hub was joined was not heard.
  let moved = true;
  const leave = hub.join(viewer.organizationId, {
    changed: (notice) => (queue.add(notice), alarm.ring()),
    moved: () => ((moved = true), alarm.ring()),
    missed: () => ((moved = true), queue.addMissed(), alarm.ring()),
  });
  const events = createEventWriter(response, { signal });
  events.begin(EVENT_STREAM_HEADERS);
  events.write(`retry: ${AGAIN_AFTER_MS}\n\n`);
  try {
    while (!signal.aborted) {
      if (moved) {
        moved = false;
        const now = await getViewer(db, viewer.userId, viewer.organizationId);
        // What somebody no longer sees, or sees anew, is in no notice that they may hear.
        if (standsElsewhere(viewer, now)) queue.add({ table: 'workspace', organization: now.organizationId });
        viewer = now;
      }
      const changes = queue.take(viewer);
      if (changes.length > 0) {
        if (!(await mayTell())) return;
        events.write(`data: ${JSON.stringify({ changes })}\n\n`);
        await events.drained();
      }
      if (await alarm.wait(QUIET_MS)) await sleep(GATHER_MS);
      else events.write(ALIVE);
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
