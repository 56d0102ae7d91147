// Every kind of stream against every way in which what allowed it can end, on the real servers: the stream ends, and
// what happens afterwards is not told. A kind without a way to open it here does not compile.
import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join as joinPath } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import type { Member } from '../../test/support/http/chat-gateway.ts';
import { type ChatWeb, MODEL, startChatWeb } from '../../test/support/http/chat-web.ts';
import { MIGRATIONS, quiet } from '../../test/support/database.ts';
import { freePort } from '../../test/support/free-port.ts';
import { CONNECT_SECRET, startToolStand, type ToolStand, WRAPPING_KEY } from '../../test/support/tools/mcp-stand.ts';
import { type Document, operationsOf } from '../../test/support/http/openapi-faults.ts';
import { addPerson, addSession, join, joinWorkspace, type Person } from '../../test/support/people.ts';
import { AUTH_SECRET, CONNECT_KEY, PUBLIC_URL } from '../../test/support/http/web-app.ts';
import { systemClock } from '../base/clock.ts';
import { readConfig } from '../base/config.ts';
import { packageRoot } from '../process/package-root.ts';
import { notifyChange } from '../connections/notify-change.ts';
import { storeReference } from '../connections/stored-reference.ts';
import { SCOPES } from '../contract/tokens.ts';
import { openApiDocument } from '../http/openapi.ts';
import { type Serving, serve } from '../http/shell/serve.ts';
import { createOpenStreams } from '../http/shell/streams/open-streams.ts';
import { STREAM_KINDS, type StreamKindName } from '../http/shell/streams/stream-kinds.ts';
import { changeRoutes } from '../http/web/change-routes.ts';
import { personalExportRoute } from '../http/web/personal-export-route.ts';
import { type ShutDeps, disablePerson } from '../leaving/shut-person.ts';
import { tenancyTokens } from '../http/shell/tenancy-tokens.ts';
import { revokeGrant } from '../identity/oauth/revoke-grant.ts';
import { appendRunReceipt } from '../runs/record/move-run.ts';
import { insertRun } from '../runs/record/insert-run.ts';
import type { Run } from '../runs/record/run.ts';
import { APPENDED_TOPIC } from '../receipts/announce-appends.ts';
import { createReceiptWriter, type ReceiptWriter } from '../receipts/receipt-writer.ts';
import type { Database } from '../store/database.ts';
import { type Listener, notify, openListener } from '../store/listen.ts';
import { measureDatabase } from '../store/measure-database.ts';
import { readMigrations } from '../store/migrate.ts';
import { createWorkspace } from '../tenancy/workspaces/create-workspace.ts';
import { mintToken } from '../tenancy/tokens/mint-token.ts';
import { revokeToken } from '../tenancy/tokens/revoke-token.ts';
import { serveApi } from './serve-api.ts';

const CONNECT = createSecretKey(Buffer.from(CONNECT_SECRET));
/** A token that expires while the stream is open, with time to open it first. */
const SHORT_SECONDS = 15;
/** More than the buffers of a connection hold: an export that nobody reads cannot come to its end. */
const LARGE = { receipts: 300, text: 'x'.repeat(100_000) };

let web: ChatWeb;
let tools: ToolStand;
let db: Database;
let writer: ReceiptWriter;
let listener: Listener;
let changes: Serving;
let exporting: Serving;
let runtimeUrl: string;
let stopApi: () => Promise<void>;
let owner: Member;
let place: { organizationId: string; workspaceId: string };

beforeAll(async () => {
  web = await startChatWeb();
  db = web.gateway.db;
  const never = new Promise(() => {});
  web.gateway.upstream.respondByDefault({ text: 'one two three four', until: never });
  tools = await startToolStand({
    db,
    extend: (all) => ({
      ...all,
      streams: (name) => name === 'endless',
      async call(caller, name, given, context) {
        if (name !== 'endless') return all.call(caller, name, given, context);
        await context.progress?.(1, 2);
        await once(context.signal, 'abort');
        return { content: [] };
      },
    }),
  });
  owner = await web.gateway.newMember();
  await owner.setCredit(1_000_000_000);
  const workspace = await createWorkspace(
    db,
    { userId: owner.id, organizationId: owner.organization.id },
    { name: 'Shared' },
  );
  place = { organizationId: owner.organization.id, workspaceId: workspace.id };
  writer = createReceiptWriter({ db, clock: systemClock });
  await Promise.all(
    Array.from({ length: LARGE.receipts }, () =>
      writer.append(`connect/${place.workspaceId}`, {
        kind: 'tool.called',
        actor: 'user:x',
        body: { text: LARGE.text },
      }),
    ),
  );

  listener = openListener(db, quiet);
  const settings = { publicUrl: PUBLIC_URL, authSecret: AUTH_SECRET, allowPrivateUrls: false };
  const route = changeRoutes({ db, log: quiet, listener, settings, streams: createOpenStreams({ db, log: quiet }) });
  changes = await serve((request, response) => route.handle(request, response), { port: 0 });
  const archive = personalExportRoute({
    db,
    log: quiet,
    settings,
    streams: createOpenStreams({ db, log: quiet }),
    async *artifacts() {},
    // oxlint-disable-next-line require-yield -- it never comes to its end
    async *responses() {
      await new Promise(() => {});
    },
  });
  exporting = await serve((request, response) => void archive.handle(request, response), { port: 0 });

  const port = await freePort();
  runtimeUrl = `http://127.0.0.1:${port}`;
  const config = readConfig({
    SERVICE_RUNTIME_PORT: String(port),
    SERVICE_BROKER_URL: `http://127.0.0.1:${await freePort()}`,
    SERVICE_CONNECT_JWT_SECRET: CONNECT_SECRET,
    SERVICE_RECEIPT_CHECKPOINT_SECONDS: '86400',
  });
  stopApi = await serveApi({
    config,
    log: quiet,
    stopping: new AbortController().signal,
    role: 'api',
    processId: 'proc_test',
    version: '0',
    build: 'abc',
    db: measureDatabase(db, 4),
    migrations: await readMigrations(MIGRATIONS),
  });
}, 240_000);
afterAll(async () => {
  await stopApi?.();
  for (const each of [changes, exporting]) each?.server.closeAllConnections();
  await exporting?.close();
  await changes?.close();
  await listener?.close();
  await tools?.close();
  await web?.close();
});

interface Proof {
  /** What is said with this is said after the end. */
  readonly marker: string;
  readonly expiresAt: Date;
  readonly person: Person;
  readonly token: string;
  readonly tokenId: string;
  readonly session: string;
}

interface OpenedStream {
  readonly heard: () => string;
  readonly ended: Promise<unknown>;
  /** Makes something happen that an open stream tells of; where it cannot, it is enough that the stream ends. */
  readonly provoke?: () => Promise<unknown>;
}

async function newProof(kind: StreamKindName, lifetimeSeconds: number): Promise<Proof> {
  const person = await addPerson(db, 'reader');
  await join(db, place.organizationId, person, 'member');
  await joinWorkspace(db, place.organizationId, place.workspaceId, person, 'member');
  const { id, token, expiresAt } = await mintToken(
    { db, key: kind === 'v1' ? CONNECT_KEY : CONNECT, clock: systemClock },
    { userId: person.id, ...place, scopes: [...SCOPES], lifetimeSeconds },
  );
  return {
    marker: `after-the-end-of-${person.id.slice(4)}`,
    expiresAt,
    person,
    token,
    tokenId: id,
    session: await addSession(db, person),
  };
}

/** An answer that is read as it comes, from its first bytes on. */
async function read(
  url: string,
  bearer: string,
  init: RequestInit & { headers?: Record<string, string> } = {},
): Promise<OpenedStream> {
  const response = await fetch(url, {
    ...init,
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${bearer}`,
      ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...init.headers,
    },
  });
  if (response.status !== 200 || !response.headers.get('content-type')?.startsWith('text/event-stream'))
    throw new Error(`answered ${response.status}: ${await response.text()}`);
  const reader = (response.body ?? expect.unreachable()).getReader();
  const decoder = new TextDecoder();
  let heard = decoder.decode((await reader.read()).value);
  const rest = async (): Promise<void> => {
    for (let at = await reader.read(); !at.done; at = await reader.read()) heard += decoder.decode(at.value);
  };
  // Cut off or ended in order: both are an end.
  return { heard: () => heard, ended: rest().catch(() => undefined) };
}

async function newRun(objective: string): Promise<Run> {
  return (
    await insertRun(db, {
      ...place,
      createdBy: 'usr_x',
      actor: 'user:usr_x',
      kind: 'codex',
      objective,
      waitingReason: 'sandbox_engine_unavailable',
    })
  ).run;
}

const ask = (proof: Proof): Promise<Response> =>
  fetch(`${web.server.url}/api/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${proof.session}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      organization: place.organizationId,
      workspace: place.workspaceId,
      model: MODEL,
      message: { text: 'Hello' },
    }),
  });

const OPEN = {
  async live({ token, marker }) {
    const socket = new WebSocket(`${runtimeUrl.replace('http', 'ws')}/factory/live?token=${token}`);
    let heard = '';
    socket.on('message', (data) => (heard += String(data)));
    const ended = new Promise((resolve) => socket.once('close', resolve));
    await once(socket, 'open');
    return {
      heard: () => heard,
      ended,
      async provoke() {
        const run = await newRun(marker);
        await notify(db, db, APPENDED_TOPIC, `jobs/${run.id}`);
      },
    };
  },
  async 'job-events'({ token, marker }) {
    const run = await newRun('to be followed');
    const stream = await read(`${runtimeUrl}/jobs/${run.id}/events`, token);
    return {
      ...stream,
      async provoke() {
        await appendRunReceipt(db, run, { kind: 'job.aborted', actor: `user:${marker}`, body: {} });
        await notify(db, db, APPENDED_TOPIC, `jobs/${run.id}`);
      },
    };
  },
  async receipts({ token, marker }) {
    const stream = `connect/${place.workspaceId}`;
    const opened = await read(
      `${runtimeUrl}/service/stream?stream=${encodeURIComponent(stream)}&from=${LARGE.receipts}`,
      token,
    );
    return {
      ...opened,
      async provoke() {
        await writer.append(stream, { kind: 'tool.called', actor: `user:${marker}`, body: {} });
        await notify(db, db, APPENDED_TOPIC, stream);
      },
    };
  },
  async 'receipts-export'({ token, marker }) {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(
        `${runtimeUrl}/service/export?stream=${encodeURIComponent(`connect/${place.workspaceId}`)}`,
        { headers: { authorization: `Bearer ${token}` } },
        resolve,
      ).on('error', reject);
    });
    response.on('error', () => {});
    if (response.statusCode !== 200) throw new Error(`answered ${response.statusCode}`);
    const readSlowly = async (): Promise<void> => {
      while (!response.destroyed) {
        response.read();
        await sleep(100);
      }
    };
    // It is not read before the end, and then so slowly that it would take far longer than it may last.
    return {
      heard: () => (response.complete ? marker : ''),
      get ended() {
        return readSlowly();
      },
    };
  },
  async connections({ token, marker }) {
    const opened = await read(`${runtimeUrl}/connect/connections`, token);
    return {
      ...opened,
      async provoke() {
        const address = { ...place, provider: 'github', name: marker };
        await db.transaction((tx) =>
          storeReference(db, tx, WRAPPING_KEY, {
            address,
            reference: { kind: 'integration-reference', integrationId: 'github', connectionId: 'c' },
            whenTaken: 'replace',
          }),
        );
        await notifyChange(db, db, place.workspaceId);
      },
    };
  },
  mcp: ({ token }) =>
    read(`${tools.url}/connect/mcp`, token, {
      method: 'POST',
      headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'endless', arguments: {}, _meta: { progressToken: 'p' } },
      }),
    }),
  async changes({ session, marker }) {
    const opened = await read(
      `http://127.0.0.1:${changes.port}/api/changes?organization=${place.organizationId}`,
      session,
    );
    return { ...opened, provoke: () => invite(marker) };
  },
  async 'personal-export'({ session }) {
    const response = await fetch(`http://127.0.0.1:${exporting.port}/api/me/export`, {
      headers: { authorization: `Bearer ${session}` },
    });
    if (response.status !== 200) throw new Error(`answered ${response.status}`);
    const reader = (response.body ?? expect.unreachable()).getReader();
    await reader.read();
    const ended = (async () => {
      try {
        while (!(await reader.read()).done);
      } catch {
        return;
      }
      throw new Error('it ended as if it were whole');
    })();
    return { heard: () => '', ended };
  },
  async 'chat-answer'(proof) {
    const response = await ask(proof);
    if (response.status !== 200) throw new Error(`answered ${response.status}`);
    const reader = (response.body ?? expect.unreachable()).getReader();
    await reader.read();
    const ended = (async () => {
      while (!(await reader.read()).done);
    })().catch(() => undefined);
    return { heard: () => '', ended };
  },
  async 'chat-follow'(proof) {
    const asked = await ask(proof);
    const thread = asked.headers.get('x-service-thread') ?? expect.unreachable();
    await asked.body?.cancel();
    return read(`${web.server.url}/api/chat/${thread}/stream`, proof.session);
  },
  v1: ({ token }) =>
    read(`${web.gateway.url}/v1/chat/completions`, token, {
      method: 'POST',
      body: JSON.stringify({
        model: MODEL,
        stream: true,
        max_tokens: 100,
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    }),
} satisfies Record<StreamKindName, (proof: Proof) => Promise<OpenedStream>>;

/** Its id is in the notice. */
const invite = (id: string): Promise<unknown> =>
  db.query(
    "insert into :schema.invitation (id, organization_id, email, role, invited_by, created_at, expires_at) values ($1, $2, lower($1) || '@example.test', 'member', $3, now(), now() + interval '1 day')",
    [id, place.organizationId, owner.id],
  );

const shutDeps = (): ShutDeps => ({
  db,
  clock: systemClock,
  ...tenancyTokens({ db, clock: systemClock, key: CONNECT }),
});

type Cause = (proof: Proof) => Promise<unknown>;

const OF_ALL = {
  'the person leaves the organization': ({ person }) =>
    db.query('delete from :schema.organization_member where user_id = $1', [person.id]),
  'the person leaves the workspace': ({ person }) =>
    db.query('delete from :schema.workspace_member where user_id = $1', [person.id]),
  'the account is disabled': ({ person }) => disablePerson(shutDeps(), person.id),
  async 'the person is deleted'({ person }) {
    await db.query(
      'with gone as (delete from :schema.organization_member where user_id = $1) delete from :schema.identity_session where user_id = $1',
      [person.id],
    );
    await db.query('delete from :schema.identity_user where id = $1', [person.id]);
  },
} as const satisfies Record<string, Cause>;

const CAUSES: Readonly<Record<'token' | 'session', Readonly<Record<string, Cause>>>> = {
  token: {
    ...OF_ALL,
    'the token is revoked': ({ tokenId }) => revokeToken({ db, clock: systemClock }, tokenId),
    async 'the OAuth grant is revoked'({ person, tokenId }) {
      const now = new Date();
      await db.query(
        "insert into :schema.oauth_grant (id, user_id, client_id, client_name, organization_id, scopes, offline, created_at, used_at) values ($1, $2, 'c', 'C', $3, '{}', true, $4, $4)",
        [`gr_${tokenId}`, person.id, place.organizationId, now],
      );
      await db.query(
        "insert into :schema.oauth_access_token (token_id, grant_id, expires_at) values ($1, $2, $3::timestamptz + interval '1 hour')",
        [tokenId, `gr_${tokenId}`, now],
      );
      await revokeGrant(
        { db, clock: systemClock, revokeToken: (on, id) => revokeToken({ db: on, clock: systemClock }, id) },
        `gr_${tokenId}`,
      );
    },
    'the token expires': ({ expiresAt }) => sleep(expiresAt.getTime() - Date.now() + 1),
  },
  session: {
    ...OF_ALL,
    'the session is signed out': ({ person }) =>
      db.query('delete from :schema.identity_session where user_id = $1', [person.id]),
    'the session expires': ({ person }) =>
      db.query('update :schema.identity_session set expires_at = now() where user_id = $1', [person.id]),
  },
};

/** Which end is none for a kind, and why. */
const UNAFFECTED: Readonly<Partial<Record<StreamKindName, readonly string[]>>> = {
  // Of an organization: it goes on, and tells no more of the workspace.
  changes: ['the person leaves the workspace'],
  // Of the person, wherever they are a member.
  'personal-export': ['the person leaves the organization', 'the person leaves the workspace'],
};

const CASES = (Object.keys(STREAM_KINDS) as StreamKindName[]).flatMap((kind) =>
  Object.entries(CAUSES[STREAM_KINDS[kind].allowedBy])
    .filter(([cause]) => !UNAFFECTED[kind]?.includes(cause))
    .map(([cause, end]) => ({ kind, cause, end })),
);

describe('an open stream', () => {
  it.concurrent.each(CASES)(
    '$kind ends when $cause, and tells nothing that came after',
    async ({ kind, cause, end }) => {
      const proof = await newProof(kind, cause === 'the token expires' ? SHORT_SECONDS : 3_600);
      const stream: OpenedStream = await OPEN[kind](proof);
      await end(proof);
      await stream.provoke?.();
      await stream.ended;
      expect(stream.heard()).not.toContain(proof.marker);
    },
  );
});

describe('a kind of stream', () => {
  it('is opened by nobody without a session or a token', async () => {
    for (const [kind, open] of Object.entries(OPEN)) {
      const proof = await newProof(kind as StreamKindName, 3_600);
      const opened = await open({ ...proof, token: 'none', session: 'none' }).then(
        () => 'opened',
        () => 'refused',
      );
      expect(`${kind}: ${opened}`).toBe(`${kind}: refused`);
    }
  });

  it('is every answer of the printed contract that stays open, and nothing else is', async () => {
    const document = JSON.parse(JSON.stringify(await openApiDocument(PUBLIC_URL))) as Document;
    const open = operationsOf(document)
      .filter(({ operation }) =>
        JSON.stringify(operation.responses).match(/text\/event-stream|application\/x-ndjson|application\/zip|"101"/),
      )
      .map(({ name }) => name);
    expect(open.toSorted()).toEqual(
      Object.values(STREAM_KINDS)
        .flatMap(({ routes }) => [...routes])
        .toSorted(),
    );
  });

  it('is the only way in which the servers for people keep an answer open', () => {
    // The broker and the sandbox controller serve programs, by a token that ends with the process.
    const files = readdirSync(joinPath(packageRoot(), 'src', 'http'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/^(?:broker|sandbox|reference)\//.test(file),
    );
    const keeping = files.filter((file) =>
      /'content-type': '(?:text\/event-stream|application\/x-ndjson)|UI_STREAM_HEADERS|EVENT_STREAM_HEADERS|handleUpgrade|serveSdk\(/.test(
        readFileSync(joinPath(packageRoot(), 'src', 'http', file), 'utf8'),
      ),
    );
    const seatless = keeping.filter(
      (file) => !/streams\/open-streams\.ts/.test(readFileSync(joinPath(packageRoot(), 'src', 'http', file), 'utf8')),
    );
    // The SDK answers for the endpoint, which has the seat.
    expect(seatless).toEqual(['mcp/serve-sdk.ts']);
  });
});
