// What a change costs, and whom: statements are counted, not time.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { openTestDatabase, quiet } from '../../../test/support/database.ts';
import type { Body } from '../../../test/support/http-client.ts';
import {
  addOrganization,
  addPerson,
  join,
  joinWorkspace,
  type Person,
  type TestOrganization,
} from '../../../test/support/people.ts';
import { stopsGrowing } from '../../../test/support/poll.ts';
import { CONNECT_KEY } from '../../../test/support/http/web-app.ts';
import { systemClock } from '../../base/clock.ts';
import { appendRunReceipt } from '../../runs/record/move-run.ts';
import { insertRun } from '../../runs/record/insert-run.ts';
import type { Run } from '../../runs/record/run.ts';
import { APPENDED_TOPIC } from '../../receipts/announce-appends.ts';
import type { Database } from '../../store/database.ts';
import { type Listener, notify, openListener } from '../../store/listen.ts';
import { createWorkspace } from '../../tenancy/workspaces/create-workspace.ts';
import { mintToken } from '../../tenancy/tokens/mint-token.ts';
import { createTokenVerifier } from '../../tenancy/tokens/verify-token.ts';
import { authenticateToken } from '../shell/authenticate-token.ts';
import { createOpenStreams } from '../shell/streams/open-streams.ts';
import { STREAM_KINDS } from '../shell/streams/stream-kinds.ts';
import { type LiveChannel, mountLiveChannel } from './live-channel.ts';

let db: Database;
let listener: Listener;
let server: Server;
let live: LiveChannel;
let owner: Person;
let organization: TestOrganization;
const statements: string[] = [];
const opened: WebSocket[] = [];

beforeAll(async () => {
  db = await openTestDatabase({ poolMax: 4 });
  owner = await addPerson(db, 'owner');
  organization = await addOrganization(db, owner);
  listener = openListener(db, quiet);
  const counted: Database = { ...db, query: (sql, values) => (statements.push(sql), db.query(sql, values)) };
  const verifier = createTokenVerifier(CONNECT_KEY, systemClock);
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  live = mountLiveChannel(server, {
    db: counted,
    listener,
    streams: createOpenStreams({ db: counted, log: quiet }),
    authenticate: (headers) => authenticateToken({ db, verifier }, headers),
    log: quiet,
  });
});
afterEach(async () => {
  await Promise.all(
    opened.splice(0).map(async (socket) => {
      if (socket.readyState === WebSocket.CLOSED) return;
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.terminate();
      await closed;
    }),
  );
});
afterAll(async () => {
  await live.close();
  server.close();
  server.closeAllConnections();
  await listener.close();
  await db.close();
});

const tokenOf = async (person: Person, organizationId: string): Promise<string> =>
  (
    await mintToken(
      { db, key: CONNECT_KEY, clock: systemClock },
      { userId: person.id, organizationId, scopes: ['jobs:read'], lifetimeSeconds: 600 },
    )
  ).token;

interface Channel {
  readonly socket: WebSocket;
  readonly messages: Body[];
  seen(id: string): Promise<Body>;
}

/** Opened, or the status and the body of the refusal. */
async function connect(token: string): Promise<Channel> {
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/factory/live?token=${token}`);
  opened.push(socket.on('error', () => {}));
  const messages: Body[] = [];
  const looks = new Set<() => void>();
  socket.on('message', (data) => {
    messages.push(JSON.parse(String(data)));
    for (const look of looks) look();
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve).once('error', reject);
    socket.once('unexpected-response', (_request, response) => {
      let body = '';
      response
        .on('data', (chunk) => (body += String(chunk)))
        .on('end', () =>
          reject(
            Object.assign(new Error('refused'), {
              status: response.statusCode,
              headers: response.headers,
              body: JSON.parse(body),
            }),
          ),
        );
    });
  });
  return {
    socket,
    messages,
    seen: (id) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = messages.find((message) => message.job?.id === id);
          if (found !== undefined) resolve(found);
        };
        looks.add(look);
        look();
      }),
  };
}

async function startRun(at: { organizationId: string; workspaceId: string }): Promise<Run> {
  const { run } = await insertRun(db, {
    ...at,
    createdBy: 'usr_x',
    actor: 'user:usr_x',
    kind: 'codex',
    objective: 'x',
    waitingReason: 'sandbox_engine_unavailable',
  });
  await notify(db, db, APPENDED_TOPIC, `jobs/${run.id}`);
  return run;
}

const ofChanges = (): string[] => statements.filter((sql) => /from :schema\.job|from :schema\.receipt/.test(sql));

describe('a change', () => {
  it('is read once for all channels of its organization, and not for other organizations', async () => {
    const others = await addPerson(db, 'other');
    const elsewhere = await addOrganization(db, others);
    const [inside, outside] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, async () => connect(await tokenOf(owner, organization.id)))),
      Promise.all(Array.from({ length: 20 }, async () => connect(await tokenOf(others, elsewhere.id)))),
    ]);
    const at = { organizationId: organization.id, workspaceId: organization.defaultId };
    // A channel that has received one on its own is up to date once it has rejoined the others, which nothing tells.
    const first = await startRun(at);
    await Promise.all(inside.map((channel) => channel.seen(first.id)));
    await stopsGrowing(() => ofChanges().length);
    statements.length = 0;
    const second = await startRun(at);
    await Promise.all(inside.map((channel) => channel.seen(second.id)));
    // The place of the run, its row and its receipts; the row and the moment may be read by a look of the feeds' own.
    expect(ofChanges().length).toBeLessThanOrEqual(8);
    expect(outside.flatMap(({ messages }) => messages)).toEqual([]);
    expect(inside.map(({ messages }) => messages.filter((message) => message.job?.id === second.id).length)).toEqual(
      inside.map(() => 1),
    );
  });

  it('of a workspace is for its members: one who leaves gets no more of it and keeps the channel', async () => {
    const workspace = await createWorkspace(
      db,
      { userId: owner.id, organizationId: organization.id },
      { name: 'Closed' },
    );
    const [member, stays] = [await addPerson(db, 'member'), await addPerson(db, 'stays')];
    for (const person of [member, stays])
      await joinWorkspace(
        db,
        organization.id,
        workspace.id,
        await join(db, organization.id, person, 'member'),
        'member',
      );
    const [leaver, reader] = await Promise.all([
      connect(await tokenOf(member, organization.id)),
      connect(await tokenOf(stays, organization.id)),
    ]);
    const at = { organizationId: organization.id, workspaceId: workspace.id };
    const before = await startRun(at);
    await Promise.all([leaver.seen(before.id), reader.seen(before.id)]);
    // Not announced, as when the notice is lost.
    await db.query('delete from :schema.workspace_member where user_id = $1', [member.id]);
    const after = await startRun(at);
    await reader.seen(after.id);
    const open = await startRun({ organizationId: organization.id, workspaceId: organization.defaultId });
    await leaver.seen(open.id);
    expect(JSON.stringify(leaver.messages)).not.toContain(after.id);
  });

  it('reaches a reader that joined in the middle of a run, with everything that happened before', async () => {
    const first = await connect(await tokenOf(owner, organization.id));
    const run = await startRun({ organizationId: organization.id, workspaceId: organization.defaultId });
    await first.seen(run.id);
    const late = await connect(await tokenOf(owner, organization.id));
    const started = await appendRunReceipt(db, run, { kind: 'job.started', actor: 'system:worker-codex', body: {} });
    await notify(db, db, APPENDED_TOPIC, `jobs/${run.id}`);
    await late.seen(run.id);
    await appendRunReceipt(db, started ?? expect.unreachable(), { kind: 'job.aborted', actor: 'user:x', body: {} });
    await notify(db, db, APPENDED_TOPIC, `jobs/${run.id}`);
    const last = await startRun({ organizationId: organization.id, workspaceId: organization.defaultId });
    await Promise.all([first.seen(last.id), late.seen(last.id)]);
    for (const { messages } of [first, late])
      expect(
        messages.filter(({ type, job: id }) => type === 'receipt' && id === run.id).map(({ receipt }) => receipt.index),
      ).toEqual([0, 1, 2]);
  });
});

describe('one person', () => {
  it('gets as many channels as the table allows; the next gets a 429 with the reason, and one that closes makes room', async () => {
    const person = await join(db, organization.id, await addPerson(db, 'many'), 'member');
    const token = await tokenOf(person, organization.id);
    const { maxPerPerson } = STREAM_KINDS.live;
    const channels = await Promise.all(Array.from({ length: maxPerPerson }, () => connect(token)));
    await expect(connect(token)).rejects.toMatchObject({
      status: 429,
      headers: { 'retry-after': '30', 'x-content-type-options': 'nosniff' },
      body: { ok: false, error: 'too_many_streams', message: expect.stringContaining(String(maxPerPerson)) },
    });
    await connect(await tokenOf(owner, organization.id));
    channels[0]?.socket.close();
    await once(channels[0]?.socket ?? expect.unreachable(), 'close');
    await expect
      .poll(
        () =>
          connect(token).then(
            () => 'opened',
            () => 'refused',
          ),
        { timeout: 20_000 },
      )
      .toBe('opened');
  });
});

describe('a client that does not read', () => {
  it('buffers a bounded amount, and catches up when it reads again', async () => {
    const person = await join(db, organization.id, await addPerson(db, 'slow'), 'member');
    const slow = await connect(await tokenOf(person, organization.id));
    const quick = await connect(await tokenOf(owner, organization.id));
    const at = { organizationId: organization.id, workspaceId: organization.defaultId };
    const first = await startRun(at);
    await slow.seen(first.id);
    slow.socket.pause();
    // As much as no socket holds: 12 MB.
    let run = await startRun(at);
    run =
      (await appendRunReceipt(db, run, { kind: 'job.started', actor: 'system:worker-codex', body: {} })) ??
      expect.unreachable();
    for (let n = 0; n < 120; n++)
      run =
        (await appendRunReceipt(db, run, {
          kind: 'job.progress',
          actor: 'system:worker-codex',
          body: { text: 'x'.repeat(50_000) },
        })) ?? expect.unreachable();
    await notify(db, db, APPENDED_TOPIC, `jobs/${run.id}`);
    const last = await startRun(at);
    await quick.seen(last.id);
    expect(slow.messages.some((message) => message.job?.id === last.id)).toBe(false);
    slow.socket.resume();
    await slow.seen(last.id);
    expect(
      slow.messages
        .filter(({ type, job: id }) => type === 'receipt' && id === run.id)
        .map(({ receipt }) => receipt.index),
    ).toEqual(Array.from({ length: 122 }, (_, index) => index));
  });
});
