// Background runs over HTTP. The scope that the contract names for a route is checked first, then the caller's
// membership.
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { implement } from '@orpc/server';
import type { Context } from 'hono';
import { AppError } from '../../base/errors.ts';
import type { FiguresClient } from '../../broker/client/ask-figures.ts';
import { runtimeContract } from '../../contract/contract.ts';
import { abortJob } from '../../runs/record/abort-job.ts';
import { listArtifacts, openArtifact } from '../../runs/record/artifacts.ts';
import type { Dispatcher } from '../../runs/delivery/dispatch-job.ts';
import { explainWaiting, presentJob, storedWaiting } from '../../runs/reading/present-job.ts';
import { findRunSandbox } from '../../runs/reading/find-run-sandbox.ts';
import { getJob } from '../../runs/record/find-jobs.ts';
import { streamOf } from '../../runs/record/job.ts';
import { type EventWithDetail, followJob, type JobEvent, readJobEvents } from '../../runs/reading/job-events.ts';
import { listJobs } from '../../runs/reading/list-jobs.ts';
import { replayJob } from '../../runs/record/replay-job.ts';
import { createDetailReader } from '../../runs/record/run-log.ts';
import { readAuthority } from '../../runs/record/run-authority.ts';
import { type StartDeps, startJob } from '../../runs/delivery/start-job.ts';
import type { Announcer } from '../../receipts/announce-appends.ts';
import { presentReceipt } from '../../receipts/present-receipt.ts';
import type { Database } from '../../store/database.ts';
import type { Listener } from '../../store/listen.ts';
import { type Caller, findCallerStanding } from '../../tenancy/find-caller.ts';
import type { Standing } from '../../tenancy/standing.ts';
import { requireScope } from '../shell/authenticate-token.ts';
import { eventStream, type ServerEvent, wantsEventStream } from '../shell/event-stream.ts';
import type { PlainRoutes } from '../shell/plain-routes.ts';
import { authorityOf, type OpenStreams, responseOf } from '../shell/streams/open-streams.ts';

export interface JobRouteDeps extends StartDeps {
  readonly db: Database;
  readonly listener: Listener;
  readonly announcer: Announcer;
  readonly dispatcher: Pick<Dispatcher, 'dispatch' | 'cancel'>;
  /** Undefined when the broker cannot say why a run waits. */
  readonly figures: FiguresClient | undefined;
  readonly artifactsDirectory: string;
  readonly streams: OpenStreams;
  readonly authenticate: (request: Request) => Promise<Caller>;
}

const LOOK_EVERY_MS = 10_000;

export function jobsRouter(deps: JobRouteDeps) {
  const { db, figures, dispatcher, announcer } = deps;
  const route = implement(runtimeContract.jobs).$context<{ caller: Caller }>();

  return route.router({
    start: route.start.handler(async ({ input, context: { caller } }) => {
      const { objective, kind = 'chat', model, capabilities, idempotencyKey, fundingWorkspace } = input;
      const standing = await getMember(db, caller, input.workspace);
      const funding = fundingWorkspace === undefined ? undefined : await getMember(db, caller, fundingWorkspace);
      const { job, isNew } = await startJob(deps, standing, {
        objective,
        kind,
        model,
        capabilities,
        idempotencyKey,
        fundingWorkspaceId: funding?.workspaceId,
        authority: await readAuthority(db, caller),
      });
      if (isNew) {
        announcer.announce([{ stream: streamOf(job) }]);
        if (job.waitingReason === undefined) dispatcher.dispatch(job);
      }
      return { job: presentJob(job, storedWaiting(job)) };
    }),

    list: route.list.handler(async ({ input, context: { caller } }) => {
      const standing = input.workspace === undefined ? undefined : await getMember(db, caller, input.workspace);
      const { jobs, cursor } = await listJobs(db, caller, {
        status: input.status,
        kind: input.kind,
        workspaceId: standing?.workspaceId,
        cursor: input.cursor,
        limit: input.limit,
      });
      return {
        jobs: jobs.map((job) => presentJob(job, storedWaiting(job))),
        ...(cursor === undefined ? {} : { cursor }),
      };
    }),

    get: route.get.handler(async ({ input, context: { caller } }) => {
      const job = await getJob(db, caller, input.id);
      return { job: presentJob(job, await explainWaiting(job, figures), await findRunSandbox(db, job)) };
    }),

    abort: route.abort.handler(async ({ input, context: { caller } }) => {
      const { job, changed } = await abortJob(db, await getJob(db, caller, input.id), `user:${caller.userId}`);
      if (changed) {
        announcer.announce([{ stream: streamOf(job) }]);
        dispatcher.cancel(job);
      }
      return { job: presentJob(job, storedWaiting(job)) };
    }),

    events: route.events.handler(async ({ input: { id, after = -1 }, context: { caller } }) => {
      const events = await readJobEvents(db, await getJob(db, caller, id));
      const withDetail = createDetailReader(join(deps.artifactsDirectory, id));
      const shown: EventWithDetail[] = [];
      for (const event of events) if (event.id > after) shown.push(await withDetail(event));
      return { events: shown };
    }),

    receipts: route.receipts.handler(async ({ input, context: { caller } }) => {
      const { receipts } = await replayJob(db, await getJob(db, caller, input.id));
      const last = receipts.at(-1);
      return {
        receipts: receipts.map(presentReceipt),
        head: last ? { index: last.index, hash: last.hash.toString('hex') } : null,
      };
    }),

    artifacts: route.artifacts.handler(async ({ input, context: { caller } }) => {
      const job = await getJob(db, caller, input.id);
      return { artifacts: await listArtifacts(deps.artifactsDirectory, job.id) };
    }),
  });
}

/** The two routes that do not answer with JSON: live events and the content of an artifact. */
export function mountJobStreams(
  routes: PlainRoutes,
  { db, listener, artifactsDirectory, streams, authenticate }: JobRouteDeps,
): void {
  const identify = async (c: Context): Promise<Caller> => {
    const caller = await authenticate(c.req.raw);
    requireScope(caller, 'jobs:read');
    return caller;
  };

  const follow = async (c: Context, caller: Caller): Promise<Response> => {
    const job = await getJob(db, caller, c.req.param('id') ?? '');
    await replayJob(db, job);
    const seat = streams.open('job-events', authorityOf(caller, job.workspaceId), responseOf(c));
    const events = followJob(job, {
      db,
      listener,
      after: readAfter(c.req.header('last-event-id') ?? c.req.query('after')),
      ...seat,
      lookEveryMs: LOOK_EVERY_MS,
    });
    return eventStream(seat, toMessages(events, createDetailReader(join(artifactsDirectory, job.id))));
  };

  const download = async (c: Context, caller: Caller): Promise<Response> => {
    const job = await getJob(db, caller, c.req.param('id') ?? '');
    const name = c.req.param('name') ?? '';
    const { file, size } = await openArtifact(artifactsDirectory, job.id, name);
    // Reads no further than the announced length, even if the file has grown since.
    const content =
      size === 0
        ? (await file.close(), '')
        : (Readable.toWeb(file.createReadStream({ start: 0, end: size - 1 })) as ReadableStream<Uint8Array>);
    return new Response(content, {
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': String(size),
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name.split('/').at(-1) ?? name)}`,
        'cache-control': 'no-store',
      },
    });
  };

  routes.on({
    method: 'GET',
    path: '/jobs/:id/events',
    cost: 'stream',
    identify: (c) => (wantsEventStream(c.req.raw) ? identify(c) : undefined),
    handle: follow,
  });
  routes.on({ method: 'GET', path: '/jobs/:id/artifacts/:name{.+}', cost: 'stream', identify, handle: download });
}

async function getMember(db: Database, caller: Caller, workspace: string | undefined): Promise<Standing> {
  const standing = await findCallerStanding(db, caller, workspace);
  if (!standing?.isWorkspaceMember) throw new AppError('workspace_membership_required');
  return standing;
}

function readAfter(text: string | undefined): number {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : -1;
}

async function* toMessages(
  events: AsyncGenerator<JobEvent | undefined>,
  withDetail: (event: JobEvent) => Promise<EventWithDetail>,
): AsyncGenerator<ServerEvent | undefined> {
  for await (const event of events)
    yield event && { id: String(event.id), data: JSON.stringify(await withDetail(event)) };
}
