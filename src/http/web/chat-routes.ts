// Chat of the web app: send a message, and follow the answer as it is written. Raw handlers, because the stream must
// not wait for anything; everything else about threads is in the typed contract.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { noteRequest } from '../../telemetry/request-scope.ts';
import type { Chat } from '../../threads/create-chat.ts';
import { formatChunk, UI_STREAM_END, UI_STREAM_HEADERS } from '../../threads/encode-ui-stream.ts';
import { describeTried } from '../../turns/routes/choose-next-hop.ts';
import type { AnswerClient } from '../../threads/live-answer.ts';
import { followStream } from '../../threads/follow-stream.ts';
import { closeIfDead, findStream, type FoundStream } from '../../threads/streams.ts';
import { getUsableProject } from '../../documents/projects/projects.ts';
import { getThread } from '../../threads/threads.ts';
import { type ChatRequest, chatRequest } from '../../contract/threads.ts';
import type { IdentitySettings } from '../../identity/identity-settings.ts';
import type { Database } from '../../store/database.ts';
import type { Listener } from '../../store/listen.ts';
import type { Admission } from '../shell/admission/admission.ts';
import { readQuestion } from '../shell/sent-body.ts';
import type { RawRoute } from '../shell/raw-route.ts';
import { requireUrlText } from '../shell/require-url-text.ts';
import { invalidRequest } from '../shell/validate.ts';
import { refuseRaw } from '../shell/write-error.ts';
import { authenticateRaw } from './raw-session.ts';
import { requireSecondFactorIn } from './require-second-factor.ts';
import { createEventWriter, KEEP_ALIVE } from '../shell/event-stream.ts';
import type { OpenStreams, StreamSeat } from '../shell/streams/open-streams.ts';
import { securityHeaders } from './security-headers.ts';

export interface ChatRouteDeps {
  readonly db: Database;
  readonly log: Log;
  readonly settings: IdentitySettings;
  readonly chat: Chat;
  readonly listener: Listener | undefined;
  readonly streams: OpenStreams;
  readonly admission: Admission;
  readonly clock?: Clock;
}

const STREAM = /^\/api\/chat\/([\w-]{1,128})\/stream$/;
/** A client this far behind is cut off; it can follow the stream again. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

export function chatRoutes(deps: ChatRouteDeps): RawRoute {
  const headers = Object.entries(securityHeaders(deps.settings.publicUrl));
  return {
    cost: { '/api/chat': 'provider', '/api/chat/:thread/stream': 'stream' },
    matches: (method, path) => (method === 'POST' && path === '/api/chat') || (method === 'GET' && STREAM.test(path)),
    handle(request, response) {
      for (const [name, value] of headers) response.setHeader(name, value);
      const url = new URL(request.url ?? '/', 'http://localhost');
      const thread = STREAM.exec(url.pathname)?.[1];
      noteRequest({ route: thread === undefined ? '/api/chat' : '/api/chat/:thread/stream' });
      const work =
        thread === undefined
          ? ask(deps, request, response)
          : follow(deps, request, response, { threadId: thread, after: url.searchParams.get('after') });
      work.catch((error: unknown) => refuseRaw(deps.log, request, response, error));
    },
  };
}

async function ask(deps: ChatRouteDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { session, ...person } = await authenticateRaw(deps, request);
  await deps.admission.serve({ cost: 'provider', body: 'question' }, person, request, async (_body, received) => {
    const asked = readRequest(await readQuestion(received));
    noteRequest({ organization: asked.organization });
    await requireSecondFactorIn(deps.db, session, asked.organization);
    const workspaceId = asked.workspace ?? (await findWorkspace(deps.db, person.userId, asked));
    const seat = deps.streams.open(
      'chat-answer',
      { ...person, organizationId: asked.organization, workspaceId },
      response,
    );
    await deps.chat.answer(person.userId, asked, createClient(response, seat));
  });
}

async function findWorkspace(
  db: Database,
  userId: string,
  { thread, project }: ChatRequest,
): Promise<string | undefined> {
  if (thread !== undefined) return (await getThread(db, userId, thread)).workspace;
  return project === undefined ? undefined : (await getUsableProject(db, userId, project)).workspace;
}

async function follow(
  { db, listener, streams, ...deps }: ChatRouteDeps,
  request: IncomingMessage,
  response: ServerResponse,
  { threadId, after }: { readonly threadId: string; readonly after: string | null },
): Promise<void> {
  const { session: _session, ...person } = await authenticateRaw({ db, ...deps }, request);
  requireUrlText(request.url ?? '/');
  const { organizationId, workspace } = await getThread(db, person.userId, threadId);
  const stream = await findOpenStream(db, threadId);
  if (!stream) return void response.writeHead(204, { 'cache-control': 'no-store' }).end();
  const from = firstWanted(request, after);

  const authority = { ...person, organizationId, workspaceId: workspace };
  // The person may have left the workspace since.
  if (!(await streams.allows(authority))) throw new AppError('not_found');
  const { signal } = streams.open('chat-follow', authority, response);
  const events = createEventWriter(response, { signal });
  events.begin({ ...UI_STREAM_HEADERS, 'x-service-thread': threadId });
  response.flushHeaders();
  for await (const chunk of followStream({ db, listener, threadId, streamId: stream.id, from, signal })) {
    if (signal.aborted) return;
    events.write(chunk ? formatChunk(chunk.seq, chunk.line) : KEEP_ALIVE);
    await events.drained();
  }
  events.end(UI_STREAM_END);
}

async function findOpenStream(db: Database, threadId: string): Promise<FoundStream | undefined> {
  const stream = await findStream(db, threadId);
  if (!stream?.dead) return stream;
  await closeIfDead(db, threadId);
  return undefined;
}

/** A client that resumes says which chunk it received last. */
function firstWanted(request: IncomingMessage, after: string | null): number {
  const last = request.headers['last-event-id'] ?? after;
  if (last === null || last === '') return 0;
  const seq = Number(last);
  if (!Number.isSafeInteger(seq) || seq < -1 || seq > 2_000_000_000)
    throw new AppError('invalid_request', { after: 'must be the id of an event of this stream' });
  return seq + 1;
}

function readRequest(body: unknown): ChatRequest {
  const { success, data, error } = chatRequest.safeParse(body);
  if (success) return data;
  throw invalidRequest(error.issues);
}

/** The answer continues if the client disconnects, and does not wait for a slow one. */
function createClient(response: ServerResponse, { signal, whenSilent }: StreamSeat): AnswerClient {
  const events = createEventWriter(response, { signal, maxUnreadBytes: MAX_UNREAD_BYTES });
  const begin: AnswerClient['begin'] = ({ credential, provider, served }) => {
    if (signal.aborted || response.destroyed || response.headersSent) return;
    events.begin({
      ...UI_STREAM_HEADERS,
      ...(credential === undefined ? {} : { 'x-service-credential': credential }),
      ...(provider === undefined ? {} : { 'x-service-provider': provider }),
      ...(served === undefined ? {} : { 'x-service-model': served }),
    });
    response.flushHeaders();
  };
  return {
    stored({ threadId, askedId }) {
      if (response.headersSent) return;
      response.setHeader('x-service-thread', threadId);
      response.setHeader('x-service-message', askedId);
    },
    waiting: (head) =>
      whenSilent(() => {
        begin(head);
        events.write(KEEP_ALIVE);
      }),
    tried: (course) => void (response.headersSent || response.setHeader('x-service-tried', describeTried(course))),
    begin,
    get isBegun() {
      return response.headersSent;
    },
    write: events.write,
    end: events.end,
  };
}
