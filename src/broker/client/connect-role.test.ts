import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectRole, type RoleBroker, type RoleOptions } from './connect-role.ts';

const log = pino({ level: 'silent' });

interface Ask {
  readonly kind: string;
  readonly head: { corrId: string; version: string; auth?: string };
  readonly data: { id: string; version: number; pid: string };
}
type Reply = { status: number; data: unknown } | 'hang up';

/** A broker that does as the test says. */
let server: Server;
let url: string;
let asked: Ask[];
let polls: IncomingMessage[];
let openStreams: Set<ServerResponse>;
let answer: (ask: Ask) => Reply;
let moreHeaders: Record<string, string>;
let changed: PromiseWithResolvers<void>;
const roles: RoleBroker[] = [];

beforeEach(async () => {
  [asked, polls, openStreams, changed] = [[], [], new Set(), Promise.withResolvers()];
  answer = () => ({ status: 200, data: {} });
  moreHeaders = {};
  server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await Promise.all(roles.splice(0).map((role) => role.stop()));
  server.closeAllConnections();
  server.close();
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const happened = (): void => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  if (request.method === 'GET') {
    polls.push(request);
    openStreams.add(response);
    response.on('close', () => {
      openStreams.delete(response);
      happened();
    });
    response.writeHead(200, { 'content-type': 'text/event-stream', ...moreHeaders }).write(': connected\n\n');
    return happened();
  }
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const ask = JSON.parse(text) as Ask;
  asked.push(ask);
  const reply = answer(ask);
  if (reply === 'hang up') response.destroy();
  else
    response
      .writeHead(reply.status, { 'content-type': 'application/json', ...moreHeaders })
      .end(JSON.stringify({ kind: ask.kind, head: { ...ask.head, status: reply.status }, data: reply.data }));
  happened();
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await changed.promise;
}

function connect(options: Partial<RoleOptions> = {}): RoleBroker {
  const role = connectRole({ url, group: 'workers', pid: 'pid-1', heartbeats: false, log, ...options });
  roles.push(role);
  return role;
}

const promise = (id: string, func: string, args: unknown[] = []) => ({
  id,
  state: 'pending',
  value: {},
  tags: {},
  timeoutAt: Date.now() + 60_000,
  createdAt: 0,
  param: { data: Buffer.from(JSON.stringify({ func, args, version: 1 })).toString('base64') },
});
const granted = ({ data: { id, version, pid } }: Pick<Ask, 'data'>): { status: number; data: unknown } => ({
  status: 200,
  data: {
    task: { id, version: version + 1, state: 'acquired', pid, resumes: [] },
    promise: promise(id, 'work'),
    preload: [],
  },
});
const offer = (id: string, version = 0): void => {
  for (const stream of openStreams)
    stream.write(`data: ${JSON.stringify({ kind: 'execute', head: {}, data: { task: { id, version } } })}\n\n`);
};
const give = (id: string, version = 0): void => {
  const acquired = granted({ data: { id, version, pid: 'pid-1' } }).data;
  for (const stream of openStreams)
    stream.write(
      `data: ${JSON.stringify({ kind: 'execute', head: {}, data: { task: { id, version }, acquired } })}\n\n`,
    );
};
const kinds = (): string[] => asked.map(({ kind }) => kind);

test('a role opens one stream at the plain address and sends its terms in headers', async () => {
  const role = connect({ group: 'my group', credit: 7, token: 'secret-of-the-broker' });
  await role.opened();
  expect(polls.map((poll) => poll.url)).toEqual(['/poll/my%20group/pid-1']);
  expect(polls[0]?.headers).toMatchObject({
    'x-broker-credit': '7',
    'x-broker-leases': 'stream',
    authorization: 'Bearer secret-of-the-broker',
  });
  expect(role.connected).toBe(true);
});

test.each([
  ['ours, which announces its keep-alives', { 'x-broker-keep-alive': '5000' }, true],
  ['any other', {}, false],
])('the role knows whether the broker keeps to its credit: %s', async (_which, headers, expected) => {
  moreHeaders = headers;
  const role = connect();
  await role.opened();
  expect(role.keepsCredit).toBe(expected);
});

test('a role that only makes calls opens no stream', async () => {
  answer = ({ data: { id } }) => ({ status: 200, data: { promise: promise(id, 'drive') } });
  const role = connect({ heartbeats: true, polls: false, token: 'secret-of-the-broker' });
  await role.call('job-1', 'drive', { n: 1 }, { target: 'drivers', timeoutMs: 1_000, tenant: 'org_1' });
  expect(polls).toEqual([]);
  const [ask] = asked as unknown as {
    head: { auth: string };
    data: { tags: Record<string, string>; param: { data: string } };
  }[];
  expect(ask?.head.auth).toBe('secret-of-the-broker');
  expect(ask?.data.tags).toMatchObject({ 'resonate:target': 'poll://any@drivers', 'service:tenant': 'org_1' });
  expect(JSON.parse(Buffer.from(ask?.data.param.data ?? '', 'base64').toString())).toMatchObject({
    func: 'drive',
    args: [{ n: 1 }],
    retry: { type: 'never' },
  });
  await expect(role.call('job:1', 'drive', {}, { target: 'drivers', timeoutMs: 1_000 })).rejects.toThrow('colon');
});

test('a task that comes with its lease is executed without an acquire', async () => {
  answer = ({ data: { id } }) => ({ status: 200, data: { promise: promise(id, 'work') } });
  const role = connect({ ttlMs: 7_000, register: (resonate) => void resonate.register('work', async () => 'done') });
  await role.opened();
  expect(polls[0]?.headers).toMatchObject({ 'x-broker-ttl': '7000' });
  give('given');
  await until(() => kinds().includes('task.fulfill'));
  expect(kinds()).toEqual(['task.fulfill']);
  expect(asked[0]?.data).toMatchObject({ id: 'given', version: 1 });
});

test('a task that the broker lists and this process does not have is given back', async () => {
  answer = ({ kind, data: { id } }) =>
    kind === 'task.get'
      ? { status: 200, data: { task: { id, state: 'acquired', version: 4, pid: 'pid-1' } } }
      : { status: 200, data: {} };
  const role = connect();
  await role.opened();
  for (const stream of openStreams)
    stream.write(
      `data: ${JSON.stringify({ kind: 'held', head: {}, data: { tasks: [{ id: 'lost', version: 4 }] } })}\n\n`,
    );
  await until(() => kinds().includes('task.release'));
  expect(asked.map(({ kind, data }) => [kind, data.id])).toEqual([
    ['task.get', 'lost'],
    ['task.release', 'lost'],
  ]);
});

test('a broker that supports batches gets concurrent requests in one body', async () => {
  const one = (ask: Ask): { status: number; data: unknown } => ({
    status: 200,
    data: { promise: promise(ask.data.id, 'drive') },
  });
  answer = (ask) =>
    ask.kind === 'service.batch'
      ? {
          status: 200,
          data: (ask.data as unknown as Ask[]).map((inner) => ({
            kind: inner.kind,
            head: { ...inner.head, status: 200 },
            data: one(inner).data,
          })),
        }
      : one(ask);
  const role = connect({ polls: false });
  const call = (id: string): Promise<void> => role.call(id, 'drive', {}, { target: 'drivers', timeoutMs: 1_000 });
  await Promise.all(['a', 'b', 'c'].map(call));
  expect(kinds()).toEqual(['promise.create', 'promise.create', 'promise.create']);
  moreHeaders = { 'x-broker-batch': '1' };
  await call('d');
  asked.splice(0);
  await Promise.all(['e', 'f', 'g', 'h', 'i'].map(call));
  expect(kinds()).toContain('service.batch');
  expect(asked.length).toBeLessThan(5);
});

test('only a role that may send heartbeats sends them', async () => {
  for (const heartbeats of [false, true]) {
    const { promise: finish, resolve } = Promise.withResolvers<void>();
    answer = (ask) => {
      if (ask.kind === 'task.heartbeat') resolve();
      return ask.kind === 'task.acquire' ? granted(ask) : { status: 200, data: {} };
    };
    // Half a lease is the SDK's pause between heartbeats; without them, the work lasts for several such pauses.
    const role = connect({
      heartbeats,
      ttlMs: 40,
      pid: `pid-${heartbeats}`,
      register: (resonate) =>
        void resonate.register('work', () => (heartbeats ? finish : new Promise((done) => setTimeout(done, 100)))),
    });
    await role.opened();
    offer(`task-${heartbeats}`);
    await until(() => asked.some(({ kind, data }) => kind === 'task.fulfill' && data.id === `task-${heartbeats}`));
    expect(kinds().includes('task.heartbeat')).toBe(heartbeats);
    await role.stop();
  }
});

test('a stream that ends is reopened, one at a time', async () => {
  const role = connect();
  await role.opened();
  for (const stream of openStreams) stream.end();
  await until(() => polls.length === 2 && openStreams.size === 1);
  await role.opened();
  expect(openStreams.size).toBe(1);
});

test('a result is sent again until the broker can be reached', async () => {
  let failures = 3;
  answer = (ask) => {
    if (ask.kind === 'task.acquire') return granted(ask);
    return ask.kind === 'task.fulfill' && failures-- > 0
      ? failures === 1
        ? { status: 503, data: 'later' }
        : 'hang up'
      : { status: 200, data: { promise: promise('a', 'work') } };
  };
  const role = connect({ register: (resonate) => void resonate.register('work', async () => 'done') });
  await role.opened();
  offer('a');
  await until(() => kinds().filter((kind) => kind === 'task.fulfill').length === 4);
  expect(kinds()).not.toContain('task.release');
});

test('a lease whose grant was lost on the way is given back', async () => {
  answer = (ask) => {
    if (ask.kind === 'task.acquire') return 'hang up';
    return ask.kind === 'task.get'
      ? { status: 200, data: { task: { id: 'a', state: 'acquired', version: 1, pid: 'pid-1', resumes: [] } } }
      : { status: 200, data: {} };
  };
  const role = connect();
  await role.opened();
  offer('a');
  await until(() => kinds().includes('task.release'));
  expect(asked.find(({ kind }) => kind === 'task.release')?.data).toEqual({ id: 'a', version: 1 });
});

test('a task whose parameters cannot be read is given back', async () => {
  answer = (ask) => {
    if (ask.kind === 'task.acquire')
      return {
        status: 200,
        data: {
          task: { id: 'a', version: 1, state: 'acquired', pid: 'pid-1', resumes: [] },
          promise: { ...promise('a', 'work'), param: { data: 'bm90IGpzb24=' } },
          preload: [],
        },
      };
    return ask.kind === 'task.get'
      ? { status: 200, data: { task: { id: 'a', state: 'acquired', version: 1, pid: 'pid-1', resumes: [] } } }
      : { status: 200, data: {} };
  };
  const role = connect();
  await role.opened();
  offer('a');
  await until(() => kinds().includes('task.release'));
  expect(role.held).toBe(0);
});

test('a lease that another process holds is left alone', async () => {
  answer = (ask) => {
    if (ask.kind === 'task.acquire') return 'hang up';
    return ask.kind === 'task.get' && ask.data.id === 'a'
      ? { status: 200, data: { task: { id: 'a', state: 'acquired', version: 1, pid: 'another', resumes: [] } } }
      : { status: 404, data: 'Task not found' };
  };
  const role = connect();
  await role.opened();
  offer('a');
  await until(() => kinds().includes('task.get'));
  offer('b');
  await until(() => kinds().filter((kind) => kind === 'task.get').length === 2);
  expect(kinds()).not.toContain('task.release');
});

test('a role that stops takes no more tasks, finishes those it has, and closes its stream', async () => {
  const { promise: finish, resolve } = Promise.withResolvers<void>();
  answer = (ask) =>
    ask.kind === 'task.acquire' ? granted(ask) : { status: 200, data: { promise: promise('a', 'work') } };
  const role = connect({ register: (resonate) => void resonate.register('work', () => finish) });
  await role.opened();
  offer('a');
  await until(() => kinds().includes('task.acquire'));
  await expect.poll(() => role.held).toBe(1);
  const stopped = role.stop(30_000);
  await until(() => polls.length === 2);
  expect(polls[1]?.headers['x-broker-credit']).toBe('0');
  resolve();
  await stopped;
  expect(kinds()).toContain('task.fulfill');
  await until(() => openStreams.size === 0);
});
