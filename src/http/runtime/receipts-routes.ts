// Receipts over HTTP: read, tail, verify, export, checkpoint. Every route first checks whether the caller may read the
// stream; a tail and an export have a seat, which ends with the token or the membership.
import { implement } from '@orpc/server';
import type { Context } from 'hono';
import { z } from 'zod';
import { assertReadableStream } from '../../audit/assert-readable-stream.ts';
import { listReadableStreams } from '../../audit/list-readable-streams.ts';
import { type FoundReceipt, searchReceipts } from '../../audit/search-receipts.ts';
import { runOfStream, workspaceOfConnectStream } from '../../audit/stream-names.ts';
import { AppError } from '../../base/errors.ts';
import { runtimeContract } from '../../contract/contract.ts';
import { getRun } from '../../runs/record/find-runs.ts';
import { findHead } from '../../receipts/append-receipts.ts';
import { checkpointNote, findInclusion, findLastCheckpoint } from '../../receipts/checkpoint.ts';
import { exportStream } from '../../receipts/export-stream.ts';
import { presentReceipt } from '../../receipts/present-receipt.ts';
import { readStream } from '../../receipts/read-stream.ts';
import type { Head, LinkedReceipt } from '../../receipts/receipt.ts';
import { tailStream } from '../../receipts/tail-stream.ts';
import { verifyStream } from '../../receipts/verify-stream.ts';
import type { Database } from '../../store/database.ts';
import type { Listener } from '../../store/listen.ts';
import { type Caller, findCallerMembership } from '../../tenancy/tokens/find-caller.ts';
import { requireScope } from '../shell/authenticate-token.ts';
import { eventStream, seatedBody, type ServerEvent, wantsEventStream } from '../shell/event-stream.ts';
import type { PlainRoutes } from '../shell/plain-routes.ts';
import { authorityOf, type OpenStreams, responseOf } from '../shell/streams/open-streams.ts';

export interface ReceiptsDeps {
  readonly db: Database;
  readonly listener: Listener;
  readonly streams: OpenStreams;
  readonly authenticate: (request: Request) => Promise<Caller>;
}

const LIMIT = 100;
const FOUND = 50;
const LOOK_EVERY_MS = 10_000;

const presentHead = (head: Head): { index: number; hash: string } => ({
  index: head.index,
  hash: head.hash.toString('hex'),
});

export function receiptsRouter({ db }: Pick<ReceiptsDeps, 'db'>) {
  const route = implement(runtimeContract.receipts).$context<{ caller: Caller }>();

  return route.router({
    stream: route.stream.handler(async ({ input, context: { caller } }) => {
      const limit = input.limit ?? LIMIT;
      if (input.stream === undefined) {
        const found = await listReadableStreams(db, caller, { after: input.cursor ?? '', limit });
        const last = found.at(-1);
        return {
          streams: found.map(({ stream, index, hash, objective }) => ({
            stream,
            head: presentHead({ index, hash }),
            ...(objective === undefined ? {} : { objective }),
          })),
          ...(last && found.length === limit ? { cursor: last.stream } : {}),
        };
      }
      await assertReadableStream(db, caller, input.stream);
      const head = await findHead(db, input.stream);
      const receipts = await readStream(db, input.stream, input.from ?? 0, limit);
      return { receipts: receipts.map(presentReceipt), head: head ? presentHead(head) : null };
    }),

    search: route.search.handler(async ({ input, context: { caller } }) => {
      const { person, app, tool, kind, since, until, cursor, limit = FOUND } = input;
      const workspaceId = input.workspace && (await getWorkspace(db, caller, input.workspace));
      const { found, cursor: next } = await searchReceipts(db, caller, {
        person,
        app,
        tool,
        kinds: kind?.split(',').filter((each) => each !== '') ?? [],
        workspaceId,
        since: since === undefined ? undefined : new Date(since),
        until: until === undefined ? undefined : new Date(until),
        cursor,
        limit,
      });
      return { receipts: found.map(presentFound), ...(next === undefined ? {} : { cursor: next }) };
    }),

    verify: route.verify.handler(async ({ input: { stream }, context: { caller } }) => {
      const projection = await assertReadableStream(db, caller, stream);
      const { count, head, fault } = await verifyStream(db, stream, projection);
      return { stream, ok: fault === undefined, count, head: head ? presentHead(head) : null, ...fault };
    }),

    checkpoint: route.checkpoint.handler(async ({ input: { stream }, context: { caller } }) => {
      if (stream !== undefined) await assertReadableStream(db, caller, stream);
      const last = await findLastCheckpoint(db);
      if (!last) return { checkpoint: null };
      const checkpoint = {
        id: last.id,
        at: last.at.toISOString(),
        streams: last.streams,
        root: last.root.toString('hex'),
        note: checkpointNote(last),
      };
      const inclusion = stream === undefined ? undefined : await findInclusion(db, stream);
      if (stream === undefined || !inclusion) return { checkpoint };
      const { head, leaf, proof } = inclusion;
      return {
        checkpoint,
        inclusion: { stream, ...presentHead(head), leaf, proof: proof.map((hash) => hash.toString('hex')) },
      };
    }),
  });
}

const tailQuery = z.object({ stream: z.string().min(1).max(300), from: z.coerce.number().int().min(0).default(0) });

/** The two routes that do not answer with JSON: the live tail and the export. */
export function mountReceiptStreams(routes: PlainRoutes, { db, listener, streams, authenticate }: ReceiptsDeps): void {
  const identify = async (c: Context): Promise<Caller> => {
    const caller = await authenticate(c.req.raw);
    requireScope(caller, 'receipts:read');
    return caller;
  };

  const tail = async (c: Context, caller: Caller): Promise<Response> => {
    const query = tailQuery.safeParse(c.req.query());
    if (!query.success)
      throw new AppError('invalid_request', { stream: 'is required for a live tail; from must be an index' });
    const { stream } = query.data;
    const seat = streams.open('receipts', authorityOf(caller, await getWorkspaceOf(db, caller, stream)), responseOf(c));
    const lastEventId = c.req.header('last-event-id') ?? '';
    const from = /^\d{1,15}$/.test(lastEventId) ? Number(lastEventId) + 1 : query.data.from;
    return eventStream(seat, toEvents(tailStream({ db, listener, stream, from, ...seat, lookEveryMs: LOOK_EVERY_MS })));
  };

  const download = async (c: Context, caller: Caller): Promise<Response> => {
    const stream = c.req.query('stream') ?? '';
    const seat = streams.open(
      'receipts-export',
      authorityOf(caller, await getWorkspaceOf(db, caller, stream)),
      responseOf(c),
    );
    const body = seatedBody(seat, exportStream(db, stream));
    const file = `${stream.replace(/[^A-Za-z0-9_-]+/g, '-')}.receipts.jsonl`;
    return new Response(body, {
      headers: {
        'content-type': 'application/x-ndjson',
        'content-disposition': `attachment; filename="${file}"`,
        'cache-control': 'no-store',
      },
    });
  };

  routes.on({
    method: 'GET',
    path: '/service/stream',
    cost: 'stream',
    identify: (c) => (wantsEventStream(c.req.raw) ? identify(c) : undefined),
    handle: tail,
  });
  routes.on({ method: 'GET', path: '/service/export', cost: 'stream', identify, handle: download });
}

function presentFound({ receipt, workspaceId, person, app, tool, run }: FoundReceipt) {
  return {
    ...presentReceipt(receipt),
    workspace: workspaceId,
    ...(person === undefined ? {} : { person }),
    ...(app === undefined ? {} : { app }),
    ...(tool === undefined ? {} : { tool }),
    ...(run === undefined ? {} : { run: { ...run } }),
  };
}

/** A workspace by id or slug, of which the caller must be a member. */
async function getWorkspace(db: Database, caller: Caller, workspace: string): Promise<string> {
  const membership = await findCallerMembership(db, caller, workspace);
  if (!membership?.isWorkspaceMember) throw new AppError('workspace_membership_required');
  return membership.workspaceId;
}

/** The workspace that a readable stream belongs to. */
async function getWorkspaceOf(db: Database, caller: Caller, stream: string): Promise<string | undefined> {
  await assertReadableStream(db, caller, stream);
  const runId = runOfStream(stream);
  return runId === undefined ? workspaceOfConnectStream(stream) : (await getRun(db, caller, runId)).workspaceId;
}

async function* toEvents(receipts: AsyncGenerator<LinkedReceipt | undefined>): AsyncGenerator<ServerEvent | undefined> {
  for await (const receipt of receipts)
    yield receipt && { id: String(receipt.index), event: 'receipt', data: JSON.stringify(presentReceipt(receipt)) };
}
