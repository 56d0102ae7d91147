// Background runs over HTTP. The scope that the contract names for a route is checked first, then the caller's
// membership.
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { implement } from '@orpc/server';
import type { Context } from 'hono';
import type { FiguresClient } from '../../broker/client/ask-figures.ts';
import { AppError } from '../../base/errors.ts';
import { runtimeContract } from '../../contract/contract.ts';
import type { JobOnWire } from '../../contract/jobs.ts';
import { PAGE_BYTES } from '../../base/page-bytes.ts';
import type { Changes } from '../../contract/patches/run-changes.ts';
import { PATCH_TYPE } from '../../contract/patches/patch-type.ts';
import { abortRun } from '../../runs/record/abort-run.ts';
import { listArtifacts, openArtifact } from '../../runs/record/artifacts.ts';
import type { Dispatcher } from '../../runs/delivery/dispatch-run.ts';
import { artifactType } from '../../runs/reading/artifact-type.ts';
import { findContinuing } from '../../runs/reading/find-continuing.ts';
import { explainWaiting, presentMessage, presentRun, storedWaiting } from '../../runs/reading/present-run.ts';
import { findRunSandbox } from '../../runs/reading/find-run-sandbox.ts';
import { getRun, getRunToAbort } from '../../runs/record/find-runs.ts';
import { listUnread } from '../../runs/record/messages.ts';
import { type Run, streamOf } from '../../runs/record/run.ts';
import { findChanges, openPatch } from '../../runs/record/run-changes.ts';
import {
  cutEvents,
  type EventWithDetail,
  followRun,
  type RunEvent,
  readRunEvents,
} from '../../runs/reading/run-events.ts';
import { readLiveOutput } from '../../runs/reading/read-live-output.ts';
import { listRuns } from '../../runs/reading/list-runs.ts';
import { replayRun } from '../../runs/record/replay-run.ts';
import { addDetails, createDetailReader } from '../../runs/record/run-log.ts';
import { presentReceipt } from '../../receipts/present-receipt.ts';
import type { Listener } from '../../store/listen.ts';
import type { Caller } from '../../tenancy/tokens/find-caller.ts';
import { requireScope } from '../shell/authenticate-token.ts';
import { eventStream, type ServerEvent, wantsEventStream } from '../shell/event-stream.ts';
import type { PlainRoutes } from '../shell/plain-routes.ts';
import { authorityOf, type OpenStreams, responseOf } from '../shell/streams/open-streams.ts';
import { sayForCaller, type SayForCallerDeps } from './say-for-caller.ts';
import { getMember, startForCaller } from './start-for-caller.ts';

export interface RunRouteDeps extends SayForCallerDeps {
  readonly listener: Listener;
  readonly dispatcher: Pick<Dispatcher, 'dispatch' | 'cancel'>;
  /** Undefined when the broker cannot say why a run waits. */
  readonly figures: FiguresClient | undefined;
  readonly streams: OpenStreams;
  readonly authenticate: (request: Request) => Promise<Caller>;
}

const LOOK_EVERY_MS = 10_000;

export function runsRouter(deps: RunRouteDeps) {
  const { db, dispatcher, announcer } = deps;
  const route = implement(runtimeContract.jobs).$context<{ caller: Caller }>();

  return route.router({
    start: route.start.handler(async ({ input, context: { caller } }) => {
      const run = await startForCaller(deps, caller, input);
      return { job: presentRun(run, storedWaiting(run)) };
    }),

    list: route.list.handler(async ({ input, context: { caller } }) => {
      const membership = input.workspace === undefined ? undefined : await getMember(db, caller, input.workspace);
      const { runs, cursor } = await listRuns(db, caller, {
        status: input.status,
        kind: input.kind,
        workspaceId: membership?.workspaceId,
        cursor: input.cursor,
        limit: input.limit,
      });
      return {
        jobs: runs.map((run) => presentRun(run, storedWaiting(run))),
        ...(cursor === undefined ? {} : { cursor }),
      };
    }),

    get: route.get.handler(async ({ input, context: { caller } }) => {
      return { job: await showWhole(deps, await getRun(db, caller, input.id)) };
    }),

    say: route.say.handler(async ({ input, context: { caller } }) => {
      const said = await sayForCaller(deps, caller, input);
      return 'message' in said
        ? { message: presentMessage(said.message, said.message.read) }
        : { job: presentRun(said.run, storedWaiting(said.run)) };
    }),

    abort: route.abort.handler(async ({ input, context: { caller } }) => {
      const { run, changed } = await abortRun(db, await getRunToAbort(db, caller, input.id), `user:${caller.userId}`);
      if (changed) {
        announcer.announce([{ stream: streamOf(run) }]);
        dispatcher.cancel(run);
      }
      return { job: presentRun(run, storedWaiting(run)) };
    }),

    events: route.events.handler(async ({ input: { id, after = -1 }, context: { caller } }) => {
      const events = (await readRunEvents(db, await getRun(db, caller, id))).filter((event) => event.id > after);
      const page = cutEvents(events);
      const last = page.at(-1);
      return {
        events: await addDetails(join(deps.artifactsDirectory, id), page),
        ...(last && page.length < events.length ? { cursor: String(last.id) } : {}),
      };
    }),

    output: route.output.handler(async ({ input, context: { caller } }) => {
      const run = await getRun(db, caller, input.id);
      const output = run.status === 'running' && (await readLiveOutput(join(deps.artifactsDirectory, run.id)));
      return { output: output || null };
    }),

    receipts: route.receipts.handler(async ({ input, context: { caller } }) => {
      const { receipts } = await replayRun(db, await getRun(db, caller, input.id));
      const last = receipts.at(-1);
      return {
        receipts: receipts.map(presentReceipt),
        head: last ? { index: last.index, hash: last.hash.toString('hex') } : null,
      };
    }),

    artifacts: route.artifacts.handler(async ({ input, context: { caller } }) => {
      const run = await getRun(db, caller, input.id);
      return { artifacts: await listArtifacts(deps.artifactsDirectory, run.id) };
    }),

    changes: route.changes.handler(({ input, context: { caller } }) => getChanges(deps, caller, input.id)),
  });
}

/** A run with what only a single one is read with. */
async function showWhole({ db, figures, artifactsDirectory }: RunRouteDeps, run: Run): Promise<JobOnWire> {
  const [waiting, sandbox, changes, unread, continuedBy] = await Promise.all([
    explainWaiting(run, figures),
    findRunSandbox(db, run),
    findChanges(join(artifactsDirectory, run.id)),
    listUnread(db, run.id, PAGE_BYTES),
    findContinuing(db, run),
  ]);
  const messages = unread.map((message) => presentMessage(message, false));
  return { ...presentRun(run, waiting, { sandbox, changes: changes?.total }), messages, continuedBy };
}

async function getChanges({ db, artifactsDirectory }: RunRouteDeps, caller: Caller, id: string): Promise<Changes> {
  const run = await getRun(db, caller, id);
  const changes = await findChanges(join(artifactsDirectory, run.id));
  if (!changes) throw new AppError('not_found');
  return changes;
}

const OCTETS = 'application/octet-stream';

/** What does not answer with JSON: live events, the content of an artifact, and a patch. */
export function mountRunStreams(
  routes: PlainRoutes,
  { db, listener, artifactsDirectory, streams, authenticate }: RunRouteDeps,
): void {
  const identify = async (c: Context): Promise<Caller> => {
    const caller = await authenticate(c.req.raw);
    requireScope(caller, 'jobs:read');
    return caller;
  };

  const follow = async (c: Context, caller: Caller): Promise<Response> => {
    const run = await getRun(db, caller, c.req.param('id') ?? '');
    await replayRun(db, run);
    const seat = streams.open('job-events', authorityOf(caller, run.workspaceId), responseOf(c));
    const events = followRun(run, {
      db,
      listener,
      after: readAfter(c.req.header('last-event-id') ?? c.req.query('after')),
      ...seat,
      lookEveryMs: LOOK_EVERY_MS,
    });
    return eventStream(seat, toMessages(events, createDetailReader(join(artifactsDirectory, run.id))));
  };

  const download = async (c: Context, caller: Caller): Promise<Response> => {
    const run = await getRun(db, caller, c.req.param('id') ?? '');
    const name = c.req.param('name') ?? '';
    // A program that asks for bytes gets them as such; a browser gets the type that fits the name.
    const type = c.req.header('accept') === OCTETS ? OCTETS : artifactType(name);
    return sendFile(await openArtifact(artifactsDirectory, run.id, name), name.split('/').at(-1) ?? name, type);
  };

  const patch = async (c: Context, caller: Caller): Promise<Response> => {
    const run = await getRun(db, caller, c.req.param('id') ?? '');
    const opened = await openPatch(join(artifactsDirectory, run.id));
    if (!opened) throw new AppError('not_found');
    return sendFile(opened, `${run.id}.patch`, PATCH_TYPE);
  };

  routes.on({
    method: 'GET',
    path: '/jobs/:id/events',
    cost: 'stream',
    identify: (c) => (wantsEventStream(c.req.raw) ? identify(c) : undefined),
    handle: follow,
  });
  routes.on({
    method: 'GET',
    path: '/jobs/:id/changes',
    cost: 'stream',
    identify: (c) => (c.req.header('accept') === PATCH_TYPE ? identify(c) : undefined),
    handle: patch,
  });
  routes.on({ method: 'GET', path: '/jobs/:id/artifacts/:name{.+}', cost: 'stream', identify, handle: download });
}

async function sendFile(
  { file, size }: { file: FileHandle; size: number },
  name: string,
  type: string,
): Promise<Response> {
  // Reads no further than the announced length, even if the file has grown since.
  const content =
    size === 0
      ? (await file.close(), '')
      : (Readable.toWeb(file.createReadStream({ start: 0, end: size - 1 })) as ReadableStream<Uint8Array>);
  return new Response(content, {
    headers: {
      'content-type': type,
      // A run wrote it: wherever it is opened, nothing in it may run or load anything.
      'content-security-policy': "default-src 'none'; sandbox",
      'content-length': String(size),
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      'cache-control': 'no-store',
    },
  });
}

function readAfter(text: string | undefined): number {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : -1;
}

async function* toMessages(
  events: AsyncGenerator<RunEvent | undefined>,
  withDetail: (event: RunEvent) => Promise<EventWithDetail>,
): AsyncGenerator<ServerEvent | undefined> {
  for await (const event of events)
    yield event && { id: String(event.id), data: JSON.stringify(await withDetail(event)) };
}
