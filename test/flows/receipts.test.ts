import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createAnnouncer } from '../../src/receipts/announce-appends.ts';
import { createReceiptWriter } from '../../src/receipts/receipt-writer.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { quiet } from '../support/database.ts';
import { type SignedIn, signUp } from '../support/http-client.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';

let stack: TestStack;
let db: Database;
let owner: SignedIn;
let workspace: string;
let token: string;

beforeAll(async () => {
  stack = await startStack({ environment: { SERVICE_RECEIPT_CHECKPOINT_SECONDS: '1' } });
  db = await openDatabase({
    url: stack.databaseUrl,
    schema: stack.schema,
    poolMax: 2,
    applicationName: 'test',
    log: quiet,
  });
  owner = await signUp(stack.url, 'owner');
  const { body } = await owner.post('/api/organizations', { name: 'Receipts' });
  workspace = body.workspaces.default.id;
  token = await owner.token(body.organization.id, ['receipts:read']);
});
afterAll(async () => {
  await db?.close();
  await stack?.stop();
});

const get = (path: string, bearer = token, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${stack.url}/runtime${path}`, { headers: { authorization: `Bearer ${bearer}`, ...headers } });

async function append(stream: string, count: number): Promise<void> {
  const announcer = createAnnouncer(db, quiet);
  const writer = createReceiptWriter({
    db,
    clock: systemClock,
    onAppended: (receipts) => announcer.announce(receipts),
  });
  for (let n = 0; n < count; n++)
    await writer.append(stream, { kind: 'tool.called', actor: `user:${owner.id}`, body: { n, text: 'ü€😀' } });
  await announcer.flush();
}

describe('receipts over HTTP, through the gateway', () => {
  it('lists the streams the caller may see, pages through one and verifies it', async () => {
    const stream = `connect/${workspace}`;
    await append(stream, 5);
    expect(await (await get('/service/stream')).json()).toMatchObject({ streams: [{ stream, head: { index: 4 } }] });
    const page = (await (await get(`/service/stream?stream=${stream}&from=2&limit=2`)).json()) as {
      receipts: { index: number; hash: string; prev: string }[];
      head: { index: number; hash: string };
    };
    expect(page.receipts.map((receipt) => receipt.index)).toEqual([2, 3]);
    expect(page.receipts[1]?.prev).toBe(page.receipts[0]?.hash);
    expect(page.receipts[0]).toMatchObject({
      stream,
      kind: 'tool.called',
      actor: `user:${owner.id}`,
      body: { n: 2, text: 'ü€😀' },
    });
    expect(page.head.index).toBe(4);
    expect(await (await get(`/service/verify?stream=${stream}`)).json()).toEqual({
      stream,
      ok: true,
      count: 5,
      head: page.head,
    });
  });

  it('tails a stream live and resumes after the last event id', async () => {
    const stream = `connect/${workspace}`;
    const head = ((await (await get(`/service/stream?stream=${stream}`)).json()) as { head: { index: number } }).head
      .index;
    const response = await get(`/service/stream?stream=${stream}`, token, {
      accept: 'text/event-stream',
      'last-event-id': String(head),
    });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    await append(stream, 2);
    let text = '';
    while (!text.includes(`id: ${head + 2}\n`)) text += (await reader?.read())?.value ?? '';
    expect([...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]))).toEqual([head + 1, head + 2]);
    await reader?.cancel();
  });

  it('ends a live tail once its token is revoked', async () => {
    const { organizations } = (await owner.get('/api/me')).body;
    const named = (
      await owner.post('/api/tokens', { name: 'tail', organization: organizations[0].id, scopes: ['receipts:read'] })
    ).body;
    const response = await get(`/service/stream?stream=connect/${workspace}`, named.token, {
      accept: 'text/event-stream',
    });
    expect(response.status).toBe(200);
    await db.query('update :schema.connect_token set revoked_at = now() where id = $1', [named.id]);
    // The body ends, instead of going on until the test does.
    expect(await response.text()).toContain(': open');
  }, 30_000);

  it('exports a stream that the documented rule alone verifies', async () => {
    const stream = `connect/${workspace}`;
    const lines = (await (await get(`/service/export?stream=${stream}`)).text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    const [first, ...receipts] = lines;
    expect(first).toMatchObject({ format: 'receipt-stream/v1', stream });
    let prev = createHash('sha256')
      .update(Buffer.from(`receipt-stream/v1\0${stream}`))
      .digest('hex');
    for (const [index, receipt] of receipts.entries()) {
      expect(receipt).toMatchObject({ index, prev });
      expect(receipt['hash']).toBe(
        createHash('sha256')
          .update(Buffer.from(prev, 'hex'))
          .update(receipt['text'] ?? '')
          .digest('hex'),
      );
      prev = receipt['hash'] ?? '';
    }
    expect(receipts.length).toBeGreaterThan(0);
  });

  it('answers for a stream of others, one that does not exist and one without a name alike, and refuses a request without scope or token', async () => {
    const stranger = await signUp(stack.url, 'stranger');
    const { body } = await stranger.post('/api/organizations', { name: 'Elsewhere' });
    await append(`connect/${body.workspaces.default.id}`, 1);
    const answers = await Promise.all(
      [`connect/${body.workspaces.default.id}`, 'connect/ws_nobody', 'jobs/x', 'service/anything'].map(
        async (stream) => {
          const response = await get(`/service/verify?stream=${stream}`);
          return { status: response.status, text: await response.text() };
        },
      ),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]?.status).toBe(404);
    expect((await get('/service/stream', 'nonsense')).status).toBe(401);
    const organization = (await owner.get('/api/me')).body.organizations[0].id;
    const unscoped = await get('/service/stream', await owner.token(organization, ['chat']));
    expect([unscoped.status, await unscoped.json()]).toMatchObject([403, { error: 'insufficient_scope' }]);
  });

  it('writes checkpoints that show a cut tail', async () => {
    const { body } = await owner.post(
      `/api/organizations/${(await owner.get('/api/me')).body.organizations[0].id}/workspaces`,
      { name: 'Cut' },
    );
    const stream = `connect/${body.workspace.id}`;
    await append(stream, 4);
    type Answer = { checkpoint: { note: string; root: string } | null; inclusion?: { index: number } };
    let answer: Answer;
    do answer = (await (await get(`/service/checkpoint?stream=${stream}`)).json()) as Answer;
    while (answer.inclusion?.index !== 3);
    expect(answer.checkpoint?.note).toContain(answer.checkpoint?.root);

    const intruder = new pg.Client({ connectionString: stack.databaseUrl });
    await intruder.connect();
    await intruder.query('set session_replication_role = replica');
    await intruder.query(`delete from "${stack.schema}".receipt where stream = $1 and idx > 1`, [stream]);
    await intruder.end();
    expect(await (await get(`/service/verify?stream=${stream}`)).json()).toMatchObject({
      ok: false,
      count: 2,
      reason: 'head_mismatch',
      index: 3,
    });
  });

  it('lists a stream that was dropped, with the head that was recorded of it, and says that it is gone', async () => {
    const { body } = await owner.post(
      `/api/organizations/${(await owner.get('/api/me')).body.organizations[0].id}/workspaces`,
      { name: 'Dropped' },
    );
    const stream = `connect/${body.workspace.id}`;
    await append(stream, 3);
    const intruder = new pg.Client({ connectionString: stack.databaseUrl });
    await intruder.connect();
    await intruder.query('set session_replication_role = replica');
    await intruder.query(`delete from "${stack.schema}".receipt where stream = $1`, [stream]);
    await intruder.end();
    expect(((await (await get('/service/stream')).json()) as { streams: unknown[] }).streams).toContainEqual({
      stream,
      head: { index: 2, hash: expect.any(String) },
    });
    expect(await (await get(`/service/stream?stream=${stream}`)).json()).toEqual({ receipts: [], head: null });
    const verified = await get(`/service/verify?stream=${stream}`);
    expect([verified.status, await verified.json()]).toEqual([
      200,
      { stream, ok: false, count: 0, head: null, reason: 'head_mismatch', index: 2 },
    ]);
  });
});
