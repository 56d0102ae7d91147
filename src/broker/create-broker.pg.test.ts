import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  asker,
  fencing,
  openStream,
  settling,
  soon,
  suspending,
  taskFor,
} from '../../test/support/broker/broker-stream.ts';
import { openTestDatabase, quiet } from '../../test/support/database.ts';
import { type Broker, createBroker } from './create-broker.ts';
import { deleteFinished } from './store/retain.ts';

const db = await openTestDatabase({ poolMax: 4 });
const brokers: Broker[] = [];
let broker: Broker;
let ask: ReturnType<typeof asker>;
let n = 0;
/** A name that no other test uses. */
let group: string;

async function newBroker(): Promise<Broker> {
  const made = await createBroker({ db, log: quiet, retentionMs: 3_600_000, warmUpMs: 0 });
  brokers.push(made);
  return made;
}

beforeEach(async () => {
  broker = await newBroker();
  ask = asker(broker);
  group = `g${++n}`;
});
afterEach(async () => {
  await Promise.all(brokers.splice(0).map((one) => one.close()));
});
afterAll(() => db.close());

/** Takes a task and says under which version it is held. */
async function acquire(id: string, pid: string, version = 0, ttl = 60_000): Promise<number> {
  const { status, data } = await ask('task.acquire', { id, version, pid, ttl });
  expect(status).toBe(200);
  return data.task.version;
}

describe('delivery', () => {
  test('a task reaches a connected stream of its group', async () => {
    const stream = await openStream(broker, { group, pid: `${group}p` });
    await ask('promise.create', taskFor(`${group}a`, group));
    expect(await stream.next()).toBe(`execute ${group}a@0`);
  });

  test('a late worker gets what waits for it at once', async () => {
    await ask('promise.create', taskFor(`${group}a`, group));
    const stream = await openStream(broker, { group, pid: `${group}p` });
    expect(await stream.next()).toBe(`execute ${group}a@0`);
  });

  test('a two-hop workflow passes through suspension, resumption and fulfilment', async () => {
    const [driver, worker, api] = await Promise.all(
      ['d', 'w', 'a'].map((name) => openStream(broker, { group: `${group}${name}`, pid: `${group}${name}` })),
    );
    const root = `${group}r`;
    await ask('promise.create', taskFor(root, `${group}d`));
    await ask('promise.register_listener', { awaited: root, address: `poll://uni@${group}a/${group}a` });
    expect(await driver?.next()).toBe(`execute ${root}@0`);
    const held = await acquire(root, `${group}d`);
    const child = await ask(
      'task.fence',
      fencing(
        root,
        held,
        taskFor(`${root}:1`, `${group}w`, {}, { 'resonate:parent': root, 'resonate:branch': `${root}:1` }),
      ),
    );
    expect(child.data.action.head.status).toBe(200);
    expect(await ask('task.suspend', suspending(root, held, `${root}:1`))).toMatchObject({ status: 200 });
    expect(await worker?.next()).toBe(`execute ${root}:1@0`);
    const leased = await acquire(`${root}:1`, `${group}w`);
    expect(await ask('task.fulfill', settling(`${root}:1`, leased))).toMatchObject({ status: 200 });
    expect(await driver?.next()).toBe(`execute ${root}@${held}`);
    const again = await ask('task.acquire', { id: root, version: held, pid: `${group}d`, ttl: 60_000 });
    // What the replay will ask for comes with the lease.
    expect(again.data.preload.map(({ id }: { id: string }) => id)).toEqual([`${root}:1`]);
    await ask('task.fulfill', settling(root, held + 1));
    expect(await api?.next()).toBe(`unblock ${root} resolved`);
  });

  test('a preference is honoured while its stream has credit, an address of one stream always', async () => {
    const one = await openStream(broker, { group, pid: `${group}one` });
    const two = await openStream(broker, { group, pid: `${group}two`, credit: 1 });
    await ask(
      'promise.create',
      taskFor(`${group}a`, group, {}, { 'resonate:target': `poll://any@${group}/${group}two` }),
    );
    expect(await two.next()).toBe(`execute ${group}a@0`);
    await ask(
      'promise.create',
      taskFor(`${group}b`, group, {}, { 'resonate:target': `poll://any@${group}/${group}two` }),
    );
    expect(await one.next()).toBe(`execute ${group}b@0`);
    await ask(
      'promise.create',
      taskFor(`${group}c`, group, {}, { 'resonate:target': `poll://uni@${group}/${group}two` }),
    );
    await ask('task.fulfill', settling(`${group}a`, await acquire(`${group}a`, `${group}two`)));
    expect(await two.next()).toBe(`execute ${group}c@0`);
    expect(one.messages).toHaveLength(1);
  });

  test('an unblock waits for its listener to connect', async () => {
    await ask('promise.create', taskFor(`${group}a`, group));
    await ask('promise.register_listener', { awaited: `${group}a`, address: `poll://uni@${group}x/late` });
    await ask('promise.settle', { id: `${group}a`, state: 'rejected', value: {} });
    const late = await openStream(broker, { group: `${group}x`, pid: 'late' });
    expect(await late.next()).toBe(`unblock ${group}a rejected`);
  });

  test('timers are never sent to a worker and fire by themselves', async () => {
    const stream = await openStream(broker, { group, pid: `${group}p` });
    await ask(
      'promise.create',
      taskFor(`${group}a`, group, { timeoutAt: Date.now() + 2_000 }, { 'resonate:timer': 'true' }),
    );
    await ask('promise.register_listener', { awaited: `${group}a`, address: `poll://uni@${group}/${group}p` });
    expect(await stream.next()).toBe(`unblock ${group}a resolved`);
  });

  test('a task with a delay is sent when its time has come', async () => {
    const stream = await openStream(broker, { group, pid: `${group}p` });
    const at = Date.now() + 700;
    await ask('promise.create', taskFor(`${group}a`, group, {}, { 'resonate:delay': String(at) }));
    await ask('promise.create', taskFor(`${group}b`, group));
    expect(await stream.next()).toBe(`execute ${group}b@0`);
    expect(await stream.next()).toBe(`execute ${group}a@0`);
    expect(Date.now()).toBeGreaterThanOrEqual(at - 50);
  });
});

describe('credit and fairness', () => {
  test('a stream gets no more tasks than its credit, and the next one when it has finished one', async () => {
    const stream = await openStream(broker, { group, pid: `${group}p`, credit: 2 });
    for (const id of ['a', 'b', 'c']) await ask('promise.create', taskFor(`${group}${id}`, group));
    await stream.next();
    await stream.next();
    const { groups } = await broker.figures();
    expect(groups.find((one) => one.group === group)).toMatchObject({
      streams: [{ credit: 2, held: 2 }],
      waiting: { 'no credit': 1 },
    });
    expect(stream.messages).toHaveLength(2);
    await ask('task.fulfill', settling(`${group}a`, await acquire(`${group}a`, `${group}p`)));
    expect(await stream.next()).toBe(`execute ${group}c@0`);
  });

  test('a parent that waits holds no credit', async () => {
    const stream = await openStream(broker, { group, pid: `${group}p`, credit: 1 });
    await ask('promise.create', taskFor(`${group}a`, group));
    await stream.next();
    const held = await acquire(`${group}a`, `${group}p`);
    await ask('task.fence', fencing(`${group}a`, held, taskFor(`${group}a:1`, group)));
    await ask('task.suspend', suspending(`${group}a`, held, `${group}a:1`));
    expect(await stream.next()).toBe(`execute ${group}a:1@0`);
  });

  test('tenants take turns, however much one of them has queued', async () => {
    for (let i = 0; i < 20; i++)
      await ask('promise.create', taskFor(`${group}big${i}`, group, {}, { 'service:tenant': 'big' }));
    for (const tenant of ['small', 'tiny'])
      await ask('promise.create', taskFor(`${group}${tenant}`, group, {}, { 'service:tenant': tenant }));
    const stream = await openStream(broker, { group, pid: `${group}p`, credit: 3 });
    const first = [await stream.next(), await stream.next(), await stream.next()];
    expect(first).toContain(`execute ${group}small@0`);
    expect(first).toContain(`execute ${group}tiny@0`);
  });

  test('a stream without credit is connected and idle', async () => {
    const idle = await openStream(broker, { group, pid: `${group}idle`, credit: 0 });
    await ask('promise.create', taskFor(`${group}a`, group));
    const { groups, waiting } = await broker.figures();
    expect(groups.find((one) => one.group === group)?.waiting).toEqual({ 'no stream connected': 1 });
    expect(waiting.map(({ task }) => task)).toContain(`${group}a`);
    expect(idle.messages).toEqual([]);
  });
});

describe('leases', () => {
  test('a stale version is refused', async () => {
    await ask('promise.create', taskFor(`${group}a`, group));
    const held = await acquire(`${group}a`, 'x');
    expect(await ask('task.acquire', { id: `${group}a`, version: 0, pid: 'y', ttl: 1_000 })).toMatchObject({
      status: 409,
    });
    await ask('task.release', { id: `${group}a`, version: held });
    expect(await ask('task.acquire', { id: `${group}a`, version: 0, pid: 'y', ttl: 1_000 })).toMatchObject({
      status: 409,
    });
    await acquire(`${group}a`, 'y', held);
    expect(await ask('task.fulfill', settling(`${group}a`, held))).toMatchObject({ status: 409 });
  });

  test('a lease that runs out goes to another worker, and the late one is fenced off', async () => {
    await ask('promise.create', taskFor(`${group}a`, group));
    const held = await acquire(`${group}a`, 'gone', 0, 1);
    const stream = await openStream(broker, { group, pid: `${group}p` });
    expect(await stream.next()).toBe(`execute ${group}a@${held}`);
    await acquire(`${group}a`, `${group}p`, held);
    expect(await ask('task.fulfill', settling(`${group}a`, held))).toMatchObject({ status: 409 });
  });

  test('an open stream keeps the leases of its process, and its end gives them to others', async () => {
    const first = await openStream(broker, { group, pid: `${group}one` });
    await ask('promise.create', taskFor(`${group}a`, group));
    await first.next();
    const held = await acquire(`${group}a`, `${group}one`, 0, 100);
    // Another lease that runs out at the same time shows that the clock has been looked at.
    await ask('promise.create', taskFor(`${group}b`, `${group}other`));
    await acquire(`${group}b`, 'gone', 0, 100);
    const other = await openStream(broker, { group: `${group}other`, pid: `${group}other` });
    expect(await other.next()).toBe(`execute ${group}b@1`);
    expect((await ask('task.get', { id: `${group}a` })).data.task).toMatchObject({ state: 'acquired', version: held });
    const second = await openStream(broker, { group, pid: `${group}two` });
    first.leave();
    expect(await second.next()).toBe(`execute ${group}a@${held}`);
  });

  test('a process that reconnects keeps what it holds', async () => {
    const first = await openStream(broker, { group, pid: `${group}one` });
    await ask('promise.create', taskFor(`${group}a`, group));
    await first.next();
    await acquire(`${group}a`, `${group}one`);
    const again = await openStream(broker, { group, pid: `${group}one` });
    await first.ended;
    // A third process that comes and goes shows that ended streams have been looked at.
    await ask('promise.create', taskFor(`${group}b`, `${group}x`));
    const third = await openStream(broker, { group: `${group}x`, pid: `${group}third` });
    await third.next();
    await acquire(`${group}b`, `${group}third`);
    third.leave();
    const fourth = await openStream(broker, { group: `${group}x`, pid: `${group}fourth` });
    expect(await fourth.next()).toBe(`execute ${group}b@1`);
    expect((await ask('task.get', { id: `${group}a` })).data.task).toMatchObject({
      state: 'acquired',
      pid: `${group}one`,
    });
    expect(again.messages).toEqual([]);
  });

  test('a stream whose process sends heartbeats gives nothing back when it ends', async () => {
    const first = await openStream(broker, { group, pid: `${group}one`, keepsLeases: false });
    await ask('promise.create', taskFor(`${group}a`, group));
    await first.next();
    await acquire(`${group}a`, `${group}one`);
    first.leave();
    await ask('promise.create', taskFor(`${group}b`, `${group}x`));
    const third = await openStream(broker, { group: `${group}x`, pid: `${group}third` });
    await third.next();
    await acquire(`${group}b`, `${group}third`);
    third.leave();
    const fourth = await openStream(broker, { group: `${group}x`, pid: `${group}fourth` });
    await fourth.next();
    expect((await ask('task.get', { id: `${group}a` })).data.task).toMatchObject({ state: 'acquired' });
  });

  test('an offer to a stream that ended is made to another', async () => {
    const first = await openStream(broker, { group, pid: `${group}one` });
    await ask('promise.create', taskFor(`${group}a`, group));
    await first.next();
    first.leave();
    const second = await openStream(broker, { group, pid: `${group}two` });
    expect(await second.next()).toBe(`execute ${group}a@0`);
  });
});

describe('releases without progress', () => {
  test('pause the task longer and longer, then halt it where it is seen, until it is continued', async () => {
    await ask('promise.create', taskFor(`${group}a`, group));
    let version = 0;
    for (let release = 1; release <= 11; release++) {
      version = await acquire(`${group}a`, 'x', version);
      expect(await ask('task.release', { id: `${group}a`, version })).toMatchObject({ status: 200 });
      if (release === 3)
        expect(await broker.waiting(`${group}a`)).toMatchObject([{ reason: 'backing off', releases: 3 }]);
    }
    expect(await broker.waiting(`${group}a`)).toMatchObject([{ reason: 'halted', releases: 11 }]);
    const stream = await openStream(broker, { group, pid: `${group}p` });
    await ask('task.continue', { id: `${group}a` });
    expect(await stream.next()).toBe(`execute ${group}a@${version}`);
  });
});

describe('two replicas on one database', () => {
  test('a task made at one reaches a stream at the other', async () => {
    const other = await newBroker();
    const stream = await openStream(other, { group, pid: `${group}p` });
    await ask('promise.create', taskFor(`${group}a`, group));
    expect(await stream.next()).toBe(`execute ${group}a@0`);
  });

  test('an unblock reaches a listener at the other', async () => {
    const other = await newBroker();
    const stream = await openStream(other, { group, pid: `${group}p` });
    await ask('promise.create', taskFor(`${group}a`, `${group}nobody`));
    await ask('promise.register_listener', { awaited: `${group}a`, address: `poll://uni@${group}/${group}p` });
    await ask('promise.settle', { id: `${group}a`, state: 'resolved', value: {} });
    expect(await stream.next()).toBe(`unblock ${group}a resolved`);
  });

  test('credit that is given back at one is used at the other', async () => {
    const other = await newBroker();
    const stream = await openStream(other, { group, pid: `${group}p`, credit: 1 });
    for (const id of ['a', 'b']) await ask('promise.create', taskFor(`${group}${id}`, group));
    await stream.next();
    await ask('task.fulfill', settling(`${group}a`, await acquire(`${group}a`, `${group}p`)));
    expect(await stream.next()).toBe(`execute ${group}b@0`);
  });

  test('requests of one origin at both never lose an update', async () => {
    const both = [ask, asker(await newBroker())];
    const root = `${group}r`;
    await ask('promise.create', taskFor(root, `${group}nobody`));
    const held = await acquire(root, 'x');
    const children = Array.from({ length: 40 }, (_, i) => `${root}:${i}`);
    await Promise.all(
      children.map((child, i) => both[i % 2]?.('task.fence', fencing(root, held, taskFor(child, `${group}nobody`)))),
    );
    expect(await ask('task.suspend', suspending(root, held, ...children))).toMatchObject({ status: 200 });
    await Promise.all(
      children.map((child, i) => both[i % 2]?.('promise.settle', { id: child, state: 'resolved', value: {} })),
    );
    const { data } = await ask('task.get', { id: root });
    expect(data.task).toMatchObject({ state: 'pending', version: held });
    // The first settlement resumed it; each of the others was added while it waited.
    expect([...data.task.resumes].sort()).toEqual(children.toSorted());
  });
});

describe('retention', () => {
  test('deletes whole origins that ended long ago, and nothing else', async () => {
    const long = Date.now() - 7_200_000;
    await ask('promise.create', { id: `${group}old`, timeoutAt: long, param: {}, tags: {} });
    await ask('promise.create', { id: `${group}old:1`, timeoutAt: long, param: {}, tags: {} });
    await ask('promise.create', { id: `${group}live:1`, timeoutAt: long, param: {}, tags: {} });
    await ask('promise.create', { id: `${group}live`, timeoutAt: soon(), param: {}, tags: {} });
    await ask('promise.create', { id: `${group}new`, timeoutAt: soon(), param: {}, tags: {} });
    await ask('promise.settle', { id: `${group}new`, state: 'resolved', value: {} });
    // One that begins like the old one's name is another origin.
    await ask('promise.create', { id: `${group}older`, timeoutAt: soon(), param: {}, tags: {} });
    expect(await deleteFinished(db, Date.now() - 3_600_000, undefined)).toMatchObject({ next: undefined });
    const there = await Promise.all(
      [`${group}old`, `${group}old:1`, `${group}live:1`, `${group}live`, `${group}new`, `${group}older`].map(
        async (id) => (await ask('promise.get', { id })).status,
      ),
    );
    expect(there).toEqual([404, 404, 200, 200, 200, 200]);
  });
});

test('a value that the database cannot store fails only its own request', async () => {
  const answers = await Promise.all([
    ask('promise.create', taskFor(`${group}a`, group)),
    ask('promise.create', { ...taskFor(`${group}b`, group), param: { data: 'a\u0000b' } }),
    ask('promise.create', taskFor(`${group}\u0000c`, group)),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
  expect((await ask('promise.get', { id: `${group}b` })).data.promise.param).toEqual({ data: 'a\u0000b' });
});
