import { afterAll, afterEach, expect, test } from 'vitest';
import { asker, openStream, settling, taskFor, type TestStream } from '../../test/support/broker/broker-stream.ts';
import { openTestDatabase, quiet } from '../../test/support/database.ts';
import { newId } from '../base/ids.ts';
import { recordProcess } from '../store/process-registry.ts';
import { type Broker, createBroker } from './create-broker.ts';

const LOST_AFTER_MS = 3_000;
const db = await openTestDatabase({ poolMax: 4 });
const brokers: Broker[] = [];
const beats: NodeJS.Timeout[] = [];
let n = 0;

async function newBroker(): Promise<Broker> {
  const made = await createBroker({ db, log: quiet, retentionMs: 3_600_000, warmUpMs: 0, lostAfterMs: LOST_AFTER_MS });
  brokers.push(made);
  return made;
}
afterEach(async () => {
  for (const timer of beats.splice(0)) clearInterval(timer);
  await Promise.all(brokers.splice(0).map((one) => one.close()));
});
afterAll(() => db.close());

/** A process with a line in the table, which it keeps fresh until it falls silent. */
async function announce(): Promise<{ pid: string; beat(): Promise<void>; fallSilent(): void }> {
  const pid = newId('proc');
  const beat = (): Promise<void> =>
    recordProcess(
      db,
      { id: pid, role: 'worker-chat', host: 'here', pid: 1, version: '0', startedAt: new Date() },
      'running',
      {},
    );
  await beat();
  const timer = setInterval(() => void beat(), 500);
  beats.push(timer);
  return { pid, beat, fallSilent: () => clearInterval(timer) };
}

const nextExecute = async (stream: TestStream): Promise<string> => {
  const message = await stream.next();
  return message.startsWith('execute') ? message : nextExecute(stream);
};

test('a process without heartbeats loses its tasks despite an open stream, gets no more, and is fenced when it returns', async () => {
  const broker = await newBroker();
  const ask = asker(broker);
  const group = `live${++n}`;
  const [silent, live] = [await announce(), await announce()];
  const first = await openStream(broker, { group, pid: silent.pid, leaseMs: 20_000 });
  await ask('promise.create', taskFor(`${group}a`, group));
  expect(await nextExecute(first)).toBe(`execute ${group}a@0`);
  const second = await openStream(broker, { group, pid: live.pid, leaseMs: 20_000 });
  silent.fallSilent();
  await first.ended;
  expect(await nextExecute(second)).toBe(`execute ${group}a@1`);
  await expect(openStream(broker, { group, pid: silent.pid, leaseMs: 20_000 })).rejects.toMatchObject({
    code: 'unavailable',
  });

  for (const id of ['b', 'c', 'd']) await ask('promise.create', taskFor(`${group}${id}`, group));
  for (const id of ['b', 'c', 'd']) expect(await nextExecute(second)).toBe(`execute ${group}${id}@0`);
  expect(await ask('task.fulfill', settling(`${group}a`, 1))).toMatchObject({ status: 409 });
  expect(await ask('task.fulfill', settling(`${group}a`, 2))).toMatchObject({ status: 200 });

  await silent.beat();
  const again = await openStream(broker, { group, pid: silent.pid, leaseMs: 20_000 });
  expect(await again.next()).toBe('held ');
});

test('a process that is not in the table is alive while its stream is open', async () => {
  const broker = await newBroker();
  const ask = asker(broker);
  const group = `live${++n}`;
  const foreign = await openStream(broker, { group, pid: `${group}foreign`, leaseMs: 20_000 });
  const silent = await announce();
  const other = await openStream(broker, { group: `${group}x`, pid: silent.pid });
  silent.fallSilent();
  await other.ended;
  await ask('promise.create', taskFor(`${group}a`, group));
  expect(await nextExecute(foreign)).toBe(`execute ${group}a@0`);
});

test('a stream that looks open at one replica ends once its process has opened another elsewhere', async () => {
  const [one, two] = [await newBroker(), await newBroker()];
  const group = `live${++n}`;
  const { pid } = await announce();
  const before = await openStream(one, { group, pid, leaseMs: 20_000 });
  const after = await openStream(two, { group, pid, leaseMs: 20_000 });
  await before.ended;
  await asker(one)('promise.create', taskFor(`${group}a`, group));
  expect(await nextExecute(after)).toBe(`execute ${group}a@0`);
});
