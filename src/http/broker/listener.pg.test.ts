import { afterAll, describe, expect, test } from 'vitest';
import { taskFor } from '../../../test/support/broker/broker-stream.ts';
import { openTestDatabase, quiet } from '../../../test/support/database.ts';
import { createBroker } from '../../broker/create-broker.ts';
import { createDatabaseCheck } from '../shell/health.ts';
import { serve } from '../shell/serve.ts';
import { brokerListener } from './listener.ts';

const TOKEN = 'a-token-of-the-broker';
const db = await openTestDatabase();
const broker = await createBroker({ db, log: quiet, retentionMs: 3_600_000 });
const listen = (token?: string) =>
  serve(
    brokerListener({
      broker,
      token,
      version: 'test',
      build: 'abc',
      checkDatabase: createDatabaseCheck(db),
      log: quiet,
      keepAliveMs: 50,
    }),
    { port: 0 },
  );
const [open, locked] = await Promise.all([listen(), listen(TOKEN)]);
const url = `http://127.0.0.1:${open.port}`;
const lockedUrl = `http://127.0.0.1:${locked.port}`;
afterAll(async () => {
  await broker.close();
  await Promise.all([open.close(), locked.close()]);
  await db.close();
});

const head = { corrId: 'corr-1', version: '2026-04-01' };
const envelope = (kind: string, data: unknown, auth?: string) =>
  JSON.stringify({ kind, head: { ...head, ...(auth === undefined ? {} : { auth }) }, data });
const post = (to: string, body: string, headers: Record<string, string> = {}) =>
  fetch(to, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

/** Reads a stream until it holds the text. */
async function readUntil(response: Response, text: string): Promise<string> {
  let heard = '';
  for await (const chunk of response.body ?? []) {
    heard += Buffer.from(chunk).toString();
    if (heard.includes(text)) break;
  }
  return heard;
}

describe('requests', () => {
  test('are answered in the same envelope, with the status of the answer as the HTTP status', async () => {
    const made = await post(
      url,
      envelope('promise.create', { id: 'http-a', timeoutAt: Date.now() + 60_000, param: {}, tags: {} }),
    );
    expect(made.status).toBe(200);
    expect(await made.json()).toMatchObject({
      kind: 'promise.create',
      head: { ...head, status: 200 },
      data: { promise: { id: 'http-a', state: 'pending' } },
    });
    const missing = await post(url, envelope('promise.get', { id: 'http-none' }));
    expect(missing.status).toBe(404);
    expect(await missing.json()).toEqual({
      kind: 'promise.get',
      head: { ...head, status: 404 },
      data: 'Promise not found',
    });
  });

  test.each([
    'promise.search',
    'task.search',
    'schedule.create',
    'schedule.get',
    'schedule.delete',
    'schedule.search',
    'debug.start',
    'debug.reset',
    'debug.tick',
    'debug.snap',
    'debug.stop',
  ])('of kind %s are not implemented', async (kind) => {
    const answer = await post(url, envelope(kind, {}));
    expect(answer.status).toBe(501);
    expect(await answer.json()).toMatchObject({ kind, head: { status: 501 } });
  });

  test.each([
    ['no JSON', 'x'],
    ['no envelope', '{}'],
    ['an unknown kind', envelope('promise.forget', {})],
    ['a body of the wrong shape', envelope('promise.get', { id: 7 })],
    [
      'a state that is the broker’s own',
      envelope('promise.settle', { id: 'http-a', state: 'rejected_timedout', value: {} }),
    ],
    ['an empty lease', envelope('task.acquire', { id: 'http-a', version: 0, pid: 'p', ttl: 0 })],
    [
      'a value that is too large',
      envelope('promise.create', { id: 'http-big', timeoutAt: 1, param: { data: 'x'.repeat(600_000) }, tags: {} }),
    ],
  ])('with %s are refused', async (_, body) => {
    expect((await post(url, body)).status).toBe(400);
  });

  test('larger than a mebibyte are refused unread', async () => {
    expect((await post(url, 'x'.repeat(1024 * 1024 + 1))).status).toBe(413);
  });

  test('from a page in a browser are refused', async () => {
    expect((await post(url, envelope('promise.get', { id: 'http-a' }), { origin: 'http://evil.test' })).status).toBe(
      403,
    );
    expect((await post(url, envelope('promise.get', { id: 'http-a' }), { 'content-type': 'text/plain' })).status).toBe(
      400,
    );
    expect((await fetch(`${url}/poll/g/p`, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
  });
});

describe('the token', () => {
  test('is required for requests, debug kinds and streams, but not for health', async () => {
    const refused = [
      post(lockedUrl, envelope('promise.get', { id: 'a' })),
      post(lockedUrl, envelope('debug.reset', {})),
      post(lockedUrl, envelope('promise.get', { id: 'a' }, `${TOKEN}x`)),
      post(lockedUrl, 'x'),
      fetch(`${lockedUrl}/poll/g/p`),
      fetch(`${lockedUrl}/figures`),
    ];
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
    expect((await fetch(`${lockedUrl}/healthz`)).status).toBe(200);
  });

  test('is taken as a bearer token or in the head of a request', async () => {
    expect(
      (await post(lockedUrl, envelope('promise.get', { id: 'http-none' }), { authorization: `Bearer ${TOKEN}` }))
        .status,
    ).toBe(404);
    expect((await post(lockedUrl, envelope('promise.get', { id: 'http-none' }, TOKEN))).status).toBe(404);
    expect((await fetch(`${lockedUrl}/figures`, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(200);
  });
});

describe('a poll stream', () => {
  test('opens immediately, sends keep-alives, and carries messages', async () => {
    const stream = await fetch(`${url}/poll/http%2Dgroup/pid%201`);
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    await post(url, envelope('promise.create', taskFor('http-task', 'http-group')));
    const heard = await readUntil(stream, 'http-task');
    expect(heard).toMatch(/^: connected\n\n/);
    expect(heard).toContain(
      `data: ${JSON.stringify({ kind: 'execute', head: {}, data: { task: { id: 'http-task', version: 0 } } })}\n\n`,
    );
    const silent = await fetch(`${url}/poll/silent/p`);
    expect(await readUntil(silent, ': \n\n')).toContain(': \n\n');
  });

  test('takes its credit from the query or a header, and refuses invalid terms', async () => {
    const [one, two] = await Promise.all([
      fetch(`${url}/poll/terms/one?credit=3`),
      fetch(`${url}/poll/terms/two`, { headers: { 'x-broker-credit': '4', 'x-broker-leases': 'stream' } }),
    ]);
    const { groups } = (await (await fetch(`${url}/figures`)).json()) as {
      groups: { group: string; streams: { pid: string; credit: number }[] }[];
    };
    expect(
      groups
        .find(({ group }) => group === 'terms')
        ?.streams.map(({ pid, credit }) => [pid, credit])
        .sort(),
    ).toEqual([
      ['one', 3],
      ['two', 4],
    ]);
    await Promise.all([one.body?.cancel(), two.body?.cancel()]);
    const nonsense = [
      '/poll/g/p?credit=x',
      '/poll/g/p?credit=-1',
      '/poll/g/p?leases=never',
      '/poll/g',
      '/poll/g/p/q',
      '/poll/%00/p',
      '/poll/%/p',
    ];
    expect((await Promise.all(nonsense.map((path) => fetch(`${url}${path}`)))).map(({ status }) => status)).toEqual(
      nonsense.map(() => 400),
    );
  });
});

describe('figures', () => {
  test('say why each task waits', async () => {
    await post(url, envelope('promise.create', taskFor('why-a', 'nobody')));
    await post(
      url,
      envelope('promise.create', taskFor('why-b', 'nobody', {}, { 'resonate:target': 'https://elsewhere.test' })),
    );
    const why = async (origin: string) =>
      (
        (await (await fetch(`${url}/figures?origin=${origin}`)).json()) as { waiting: { reason: string }[] }
      ).waiting.map(({ reason }) => reason);
    expect(await why('why-a')).toEqual(['no stream connected']);
    expect(await why('why-b')).toEqual(['address not served']);
    expect(await why('why-none')).toEqual([]);
  });
});
