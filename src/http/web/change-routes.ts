// GET /api/changes?organization=: tells an open page what has changed, so that it reads it again. One stream per tab.
// The viewer's rights are read at the start and whenever memberships change; the stream ends with the session or the
// membership. A slow client is waited for, and a backlog becomes "read everything again".
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { noteRequest } from '../../telemetry/request-scope.ts';
import { id } from '../../contract/common.ts';
import type { Database } from '../../store/database.ts';
import type { Listener } from '../../store/listen.ts';
import { findViewer, type Viewer } from '../../tenancy/members/find-viewer.ts';
import { follow } from '../../timing/follow.ts';
import { createChangeQueue } from './change-queue.ts';
import { requireSecondFactor } from '../../identity/sessions/second-factor-demand.ts';
import type { RawRoute } from '../shell/raw-route.ts';
import { requireUrlText } from '../shell/require-url-text.ts';
import { createEventWriter, EVENT_STREAM_HEADERS } from '../shell/event-stream.ts';
import { createChangeHub, type ChangeHub } from '../shell/streams/change-hub.ts';
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
  /** Stops receiving notifications. */
  close(): void;
}

const QUIET_MS = 15_000;
/** Changes that happen together are sent together. */
const GATHER_MS = 50;
/** An event rather than a comment, which a page cannot see: it distinguishes a quiet stream from a dead one. */
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
      serveChanges(deps, hub, request, response).catch((error: unknown) =>
        refuseRaw(deps.log, request, response, error),
      );
    },
    close: () => hub.close(),
  };
}

async function serveChanges(
  deps: ChangeRouteDeps,
  hub: ChangeHub,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { session, ...person } = await authenticateRaw(deps, request);
  requireUrlText(request.url ?? '/');
  const asked = id.safeParse(new URL(request.url ?? '/', 'http://localhost').searchParams.get('organization'));
  if (!asked.success) throw new AppError('invalid_request', { organization: 'is required' });
  const viewer = await getViewer(deps.db, person.userId, asked.data);
  await requireSecondFactor(deps.db, session, viewer.organizationId);
  const seat = deps.streams.open('changes', { ...person, organizationId: viewer.organizationId }, response);
  try {
    await sendChanges(deps.db, hub, viewer, { response, seat });
  } catch (error) {
    // The headers have been sent: a client that has lost access sees the stream end, and gets the refusal on its retry.
    if (!(error instanceof AppError)) deps.log.warn({ err: error }, 'change stream failed');
  } finally {
    response.end();
  }
}

async function getViewer(db: Database, userId: string, organization: string): Promise<Viewer> {
  const viewer = await findViewer(db, { userId, organization });
  if (!viewer) throw new AppError('not_found');
  return viewer;
}

async function sendChanges(
  db: Database,
  hub: ChangeHub,
  first: Viewer,
  { response, seat: { signal, mayTell } }: { readonly response: ServerResponse; readonly seat: StreamSeat },
): Promise<void> {
  const queue = createChangeQueue();
  let viewer = first;
  // Memberships may have changed before the hub was joined.
  let moved = true;
  const batches = follow({
    from: undefined,
    subscribe: (notice) =>
      hub.join(viewer.organizationId, {
        changed: (change) => (queue.add(change), notice()),
        moved: () => ((moved = true), notice()),
        missed: () => ((moved = true), queue.addMissed(), notice()),
      }),
    async readSince(cursor) {
      if (moved) {
        moved = false;
        const now = await getViewer(db, viewer.userId, viewer.organizationId);
        // No notification that the viewer may receive covers workspaces that they gained or lost.
        if (hasOtherRights(viewer, now)) queue.add({ table: 'workspace', organization: now.organizationId });
        viewer = now;
      }
      const changes = queue.take(viewer);
      return { items: changes.length > 0 ? [changes] : [], cursor };
    },
    signal,
    mayTell,
    lookEveryMs: QUIET_MS,
    gatherMs: GATHER_MS,
  });
  const events = createEventWriter(response, { signal });
  events.begin(EVENT_STREAM_HEADERS);
  events.write(`retry: ${AGAIN_AFTER_MS}\n\n`);
  for await (const changes of batches) {
    events.write(changes ? `data: ${JSON.stringify({ changes })}\n\n` : ALIVE);
    await events.drained();
  }
}

function hasOtherRights(before: Viewer, now: Viewer): boolean {
  return before.role !== now.role || differ(before.sees, now.sees) || differ(before.isIn, now.isIn);
}

function differ(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size !== b.size || [...a].some((each) => !b.has(each));
}
