import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import {
  asker,
  fencing,
  openStream,
  settling,
  suspending,
  taskFor,
  type TestStream,
} from '../../test/support/broker/broker-stream.ts';
import { openTestDatabase, quiet } from '../../test/support/database.ts';
import { type Broker, createBroker } from './create-broker.ts';
import type { AcquiredTask } from './protocol/messages.ts';

const db = await openTestDatabase({ poolMax: 4 });
const brokers: Broker[] = [];
let broker: Broker;
let ask: ReturnType<typeof asker>;
let group: string;
let n = 0;

async function newBroker(): Promise<Broker> {
  const made = await createBroker({ db, log: quiet, retentionMs: 3_600_000, warmUpMs: 0 });
  brokers.push(made);
  return made;
}
beforeEach(async () => {
  broker = await newBroker();
  ask = asker(broker);
  group = `given${++n}`;
});
afterEach(async () => {
  await Promise.all(brokers.splice(0).map((one) => one.close()));
});
afterAll(() => db.close());

const leasing = (at: Broker, pid = `${group}p`): Promise<TestStream> => openStream(at, { group, pid, leaseMs: 20_000 });
const lastGiven = (stream: TestStream): AcquiredTask | undefined => {
  const message = stream.messages.at(-1);
  return message?.kind === 'execute' ? message.data.acquired : undefined;
};

test('a stream that wants leases gets the task with its lease and needs no acquire', async () => {
  const stream = await leasing(broker);
  expect(await stream.next()).toBe('held ');
  const root = `${group}r`;
  await ask('promise.create', { ...taskFor(root, group), param: { data: 'param' } });
  expect(await stream.next()).toBe(`execute ${root}@0`);
  expect(lastGiven(stream)).toMatchObject({
    task: { id: root, state: 'acquired', version: 1, pid: `${group}p`, ttl: 20_000, resumes: [] },
    promise: { id: root, state: 'pending', param: { data: 'param' } },
    preload: [],
  });
  expect(await ask('task.acquire', { id: root, version: 0, pid: 'other', ttl: 1_000 })).toMatchObject({ status: 409 });

  await ask(
    'task.fence',
    fencing(
      root,
      1,
      taskFor(`${root}:1`, 'elsewhere', {}, { 'resonate:parent': root, 'resonate:branch': `${root}:1` }),
    ),
  );
  expect(await ask('task.suspend', suspending(root, 1, `${root}:1`))).toMatchObject({ status: 200 });
  await ask('promise.settle', { id: `${root}:1`, state: 'resolved', value: {} });
  expect(await stream.next()).toBe(`execute ${root}@1`);
  expect(lastGiven(stream)).toMatchObject({ task: { version: 2 }, preload: [{ id: `${root}:1`, state: 'resolved' }] });
});

test('another stream of the same group is offered its tasks, as in the protocol', async () => {
  const stream = await openStream(broker, { group, pid: `${group}p` });
  await ask('promise.create', taskFor(`${group}a`, group));
  expect(await stream.next()).toBe(`execute ${group}a@0`);
  expect(lastGiven(stream)).toBeUndefined();
});

test('what a lost process held is before what came after it', async () => {
  const lost = await openStream(broker, { group, pid: `${group}lost`, credit: 1, leaseMs: 20_000 });
  await lost.next();
  for (const name of ['a', 'b', 'c']) {
    await ask('promise.create', taskFor(`${group}${name}`, group));
    // Calls that were made in the same millisecond have no order.
    await sleep(5);
  }
  expect(await lost.next()).toBe(`execute ${group}a@0`);
  lost.leave();
  await expect
    .poll(async () => (await ask('task.get', { id: `${group}a` })).data.task)
    .toMatchObject({ state: 'pending' });
  const next = await openStream(broker, { group, pid: `${group}next`, credit: 1, leaseMs: 20_000 });
  await next.next();
  expect(await next.next()).toBe(`execute ${group}a@1`);
  await ask('task.fulfill', settling(`${group}a`, 2));
  expect(await next.next()).toBe(`execute ${group}b@0`);
});

test('a process that reconnects is sent the tasks it should have, and those it never got go to others', async () => {
  const stream = await leasing(broker);
  await stream.next();
  await ask('promise.create', taskFor(`${group}a`, group));
  await stream.next();
  stream.leave();
  const again = await leasing(broker);
  expect(await again.next()).toBe(`held ${group}a@1`);
  again.leave();
  const other = await leasing(broker, `${group}q`);
  expect(await other.next()).toBe('held ');
  expect(await other.next()).toBe(`execute ${group}a@1`);
  expect(lastGiven(other)).toMatchObject({ task: { version: 2, pid: `${group}q` } });
});

test('a cached origin is not trusted after another replica has written', async () => {
  const other = asker(await newBroker());
  const stream = await leasing(broker);
  await stream.next();
  await ask('promise.create', taskFor(`${group}a`, group));
  await stream.next();
  await other('promise.settle', { id: `${group}a`, state: 'rejected_canceled', value: {} });
  expect(await ask('task.fence', fencing(`${group}a`, 1, taskFor(`${group}a:1`, 'elsewhere')))).toMatchObject({
    status: 409,
  });
  expect(await ask('promise.create', taskFor(`${group}a`, group))).toMatchObject({
    status: 200,
    data: { promise: { state: 'rejected_canceled' } },
  });
});

test('many concurrent tasks over two replicas are given out once each', async () => {
  const second = await newBroker();
  const streams = await Promise.all([leasing(broker), leasing(second, `${group}q`)]);
  const asks = [ask, asker(second)];
  await Promise.all(
    Array.from({ length: 60 }, (_, at) => asks[at % 2]?.('promise.create', taskFor(`${group}-${at}`, group))),
  );
  const given = (): string[] =>
    streams.flatMap(({ messages }) =>
      messages.flatMap((message) => (message.kind === 'execute' ? [message.data.task.id] : [])),
    );
  await expect.poll(() => given().length, { timeout: 20_000 }).toBe(60);
  expect(new Set(given()).size).toBe(60);
  const { rows } = await db.query<{ version: number }>(
    'select distinct version from :schema.broker_task where id like $1',
    [`${group}-%`],
  );
  expect(rows).toEqual([{ version: 1 }]);
});

test('a stream never exceeds its credit, and tasks are served in order of arrival', async () => {
  const stream = await openStream(broker, { group, pid: `${group}p`, leaseMs: 20_000, credit: 2 });
  await stream.next();
  for (const letter of 'abcd') await ask('promise.create', taskFor(`${group}${letter}`, group));
  expect([await stream.next(), await stream.next()]).toEqual([`execute ${group}a@0`, `execute ${group}b@0`]);
  // Credit comes back while two wait: a newcomer of the same moment stands behind them.
  await Promise.all([
    ask('task.fulfill', settling(`${group}a`, 1)),
    ask('promise.create', taskFor(`${group}e`, group)),
  ]);
  expect(await stream.next()).toBe(`execute ${group}c@0`);
  await ask('task.fulfill', settling(`${group}b`, 1));
  expect(await stream.next()).toBe(`execute ${group}d@0`);
  await ask('task.fulfill', settling(`${group}c`, 1));
  expect(await stream.next()).toBe(`execute ${group}e@0`);
  expect(stream.messages.filter(({ kind }) => kind === 'execute')).toHaveLength(5);
});

test('a task that another replica settled gives its credit back', async () => {
  const other = asker(await newBroker());
  const stream = await openStream(broker, { group, pid: `${group}p`, leaseMs: 20_000, credit: 1 });
  await stream.next();
  await ask('promise.create', taskFor(`${group}a`, group));
  await stream.next();
  expect(await other('task.fulfill', settling(`${group}a`, 1))).toMatchObject({ status: 200 });
  await ask('promise.create', taskFor(`${group}b`, group));
  expect(await stream.next()).toBe(`execute ${group}b@0`);
});
